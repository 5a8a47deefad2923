//! The manifest of a library, as far as the module needs it.

use serde_json::Value;
use std::collections::BTreeMap;

/// What a library has.
#[derive(Debug)]
pub struct Manifest {
    /// Entry points by name.
    pub entries: BTreeMap<String, Entry>,
    /// Types by name, without those of scalars.
    pub types: BTreeMap<String, Type>,
}

/// An entry point.
#[derive(Debug)]
pub struct Entry {
    /// Its function in C.
    pub function: String,
    /// What the program says of it.
    pub doc: String,
    /// Its parameters.
    pub inputs: Vec<Input>,
    /// The type of its result.
    pub output: String,
}

/// A parameter.
#[derive(Debug)]
pub struct Input {
    /// What the program calls it.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// Whether a call consumes it.
    pub unique: bool,
}

/// A type that is no scalar's.
#[derive(Debug)]
pub enum Type {
    /// Of arrays of scalars.
    Array {
        /// What the elements are.
        element: String,
        /// How many dimensions.
        rank: usize,
        /// What its functions end in, as in `futhark_new_f64_1d`.
        suffix: String,
    },
    /// Any other.
    Opaque {
        /// Likewise.
        suffix: String,
        /// What is known of its values.
        what: What,
    },
}

/// What an opaque value is.
#[derive(Debug)]
pub enum What {
    /// Nothing is known.
    Nothing,
    /// A record with these fields.
    Record(Vec<Field>),
    /// A sum of these variants.
    Sum(Vec<Variant>),
    /// An array of opaque values.
    Array {
        /// Their type.
        element: String,
        /// How many dimensions.
        rank: usize,
        /// The fields of records, as arrays.
        fields: Vec<Field>,
    },
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// What it is called; a number in tuples.
    pub name: String,
    /// The function that takes it out.
    pub project: String,
    /// Its type.
    pub ty: String,
}

/// A variant.
#[derive(Debug)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// The function that makes one.
    pub construct: String,
    /// The function that takes one apart.
    pub destruct: String,
    /// The types of its values.
    pub payload: Vec<String>,
}

impl Manifest {
    /// Reads one; the error says what is missing.
    pub fn read(text: &str) -> Result<Manifest, String> {
        let json: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let each = |key: &str| match &json[key] {
            Value::Object(all) => Ok(all.iter()),
            _ => Err(format!("no {key}")),
        };
        let mut manifest = Manifest { entries: BTreeMap::new(), types: BTreeMap::new() };
        for (name, value) in each("entry_points")? {
            manifest.entries.insert(name.clone(), entry(value)?);
        }
        for (name, value) in each("types")? {
            manifest.types.insert(name.clone(), ty(value).map_err(|e| format!("{name}: {e}"))?);
        }
        Ok(manifest)
    }
}

fn text(value: &Value, key: &str) -> Result<String, String> {
    value[key].as_str().map(str::to_owned).ok_or_else(|| format!("no {key}"))
}

fn list<'v>(value: &'v Value, key: &str) -> Result<&'v [Value], String> {
    value[key].as_array().map(Vec::as_slice).ok_or_else(|| format!("no {key}"))
}

fn rank(value: &Value) -> Result<usize, String> {
    let rank = value["rank"].as_u64().and_then(|rank| usize::try_from(rank).ok());
    rank.ok_or_else(|| "no rank".into())
}

fn entry(value: &Value) -> Result<Entry, String> {
    let input = |value: &Value| {
        Ok::<_, String>(Input {
            name: text(value, "name")?,
            ty: text(value, "type")?,
            unique: value["unique"].as_bool().unwrap_or(false),
        })
    };
    Ok(Entry {
        function: text(value, "cfun")?,
        doc: value["doc"].as_str().unwrap_or_default().to_owned(),
        inputs: list(value, "inputs")?.iter().map(input).collect::<Result<_, _>>()?,
        output: text(&value["output"], "type")?,
    })
}

fn ty(value: &Value) -> Result<Type, String> {
    let free = text(&value["ops"], "free")?;
    let suffix = free.strip_prefix("futhark_free_").ok_or("an unknown name")?.to_owned();
    if value["kind"] == "array" {
        return Ok(Type::Array { element: text(value, "elemtype")?, rank: rank(value)?, suffix });
    }
    let array = ["record_array", "opaque_array"].map(|key| &value[key]);
    let array = array.into_iter().find(|array| array.is_object());
    let what = if value["record"].is_object() {
        What::Record(fields(&value["record"])?)
    } else if value["sum"].is_object() {
        let variants = list(&value["sum"], "variants")?;
        What::Sum(variants.iter().map(variant).collect::<Result<_, _>>()?)
    } else if let Some(array) = array {
        let fields = if array["fields"].is_array() { fields(array)? } else { Vec::new() };
        What::Array { element: text(array, "elemtype")?, rank: rank(array)?, fields }
    } else {
        What::Nothing
    };
    Ok(Type::Opaque { suffix, what })
}

fn fields(value: &Value) -> Result<Vec<Field>, String> {
    let field = |value: &Value| {
        Ok(Field {
            name: text(value, "name")?,
            project: text(value, "project")?,
            ty: text(value, "type")?,
        })
    };
    list(value, "fields")?.iter().map(field).collect()
}

fn variant(value: &Value) -> Result<Variant, String> {
    let payload = list(value, "payload")?.iter();
    Ok(Variant {
        name: text(value, "name")?,
        construct: text(value, "construct")?,
        destruct: text(value, "destruct")?,
        payload: payload
            .map(|ty| ty.as_str().map(str::to_owned).ok_or("no type".to_owned()))
            .collect::<Result<_, _>>()?,
    })
}
