//! How types of the program are written in Rust, and how their values pass to C and back.

/// How a type is written in Rust, and passed.
#[derive(Clone, Debug)]
pub enum Rust {
    /// A number or truth value, as it is.
    Scalar(&'static str),
    /// An array of scalars.
    Array(&'static str, usize),
    /// A struct.
    Opaque(String),
}

/// A scalar of the program in Rust.
pub fn scalar(name: &str) -> Option<&'static str> {
    const SAME: &[&str] =
        &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "bool"];
    if name == "f16" { Some("F16") } else { SAME.iter().find(|same| **same == name).copied() }
}

impl Rust {
    /// The type of a value that is owned.
    pub fn owned(&self) -> String {
        match self {
            Rust::Scalar(name) => (*name).to_owned(),
            Rust::Array(element, rank) => format!("Array<'_, {element}, {rank}>"),
            Rust::Opaque(name) => format!("{name}<'_>"),
        }
    }

    /// The type of a value in a struct or enum with a context's lifetime.
    pub fn kept(&self) -> String {
        self.owned().replace("'_", "'c")
    }

    /// The type of a parameter.
    pub fn parameter(&self, unique: bool) -> String {
        match self {
            Rust::Scalar(_) => self.owned(),
            _ if unique => self.owned(),
            _ => format!("&{}", self.owned()),
        }
    }

    /// The type in C, of values.
    pub fn raw(&self) -> &'static str {
        match self {
            Rust::Scalar(name) => name,
            Rust::Array(..) | Rust::Opaque(_) => "*mut c_void",
        }
    }

    /// A variable for a result.
    pub fn variable(&self, name: &str) -> String {
        match self {
            Rust::Scalar(ty) => format!("let mut {name}: {ty} = Default::default();"),
            _ => format!("let mut {name}: *mut c_void = ptr::null_mut();"),
        }
    }

    /// What a parameter is passed as.
    pub fn passed(&self, name: &str) -> String {
        match self {
            Rust::Scalar(_) => name.to_owned(),
            _ => format!("{name}.pointer"),
        }
    }

    /// The value of a variable that C has filled.
    pub fn taken(&self, name: &str, context: &str) -> String {
        match self {
            Rust::Scalar(_) => name.to_owned(),
            Rust::Array(..) => format!("Array::own({context}, {name})"),
            Rust::Opaque(ty) => format!("{ty}::own({context}, {name})"),
        }
    }
}
