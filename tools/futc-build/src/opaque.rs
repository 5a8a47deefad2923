//! What a module has for records, sums, arrays of them and types of which nothing is known.

use crate::generate::{Generator, Result};
use crate::manifest::{Field, Variant, What};
use crate::names::{OPAQUE, Scope, camel, snake};
use crate::types::Rust;
use std::fmt::Write as _;

impl Generator<'_> {
    /// What there is for a type that is no scalar's and no array of scalars.
    pub fn opaque(&mut self, name: &str, suffix: &str, what: &What) -> Result<()> {
        let Rust::Opaque(ty) = self.rust(name)? else { return Err(format!("{name} is no struct")) };
        let of = |f: &str| format!("futhark_{f}_{suffix}");
        let (free, store, restore) = (of("free"), of("store"), of("restore"));
        let ctx = "context: *mut c_void";
        self.declare(&free, &format!("{ctx}, value: *mut c_void"), "c_int");
        self.declare(
            &store,
            &format!("{ctx}, value: *mut c_void, to: *mut *mut c_void, bytes: *mut usize"),
            "c_int",
        );
        self.declare(&restore, &format!("{ctx}, from: *const c_void"), "*mut c_void");
        self.add(&format!(
            "
/// A value of the program's type `{name}`.
pub struct {ty}<'c> {{
    context: &'c Context,
    pointer: *mut c_void,
}}

// SAFETY: as for the context, without which nothing is done to it.
unsafe impl Send for {ty}<'_> {{}}
// SAFETY: likewise.
unsafe impl Sync for {ty}<'_> {{}}

impl Drop for {ty}<'_> {{
    fn drop(&mut self) {{
        // SAFETY: it is freed once.
        unsafe {{ {free}(self.context.pointer, self.pointer) }};
    }}
}}

impl fmt::Debug for {ty}<'_> {{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{
        f.debug_struct({ty:?}).finish_non_exhaustive()
    }}
}}

impl<'c> {ty}<'c> {{
    fn own(context: &'c Context, pointer: *mut c_void) -> Self {{
        {ty} {{ context, pointer }}
    }}

    /// The value as bytes, for `from_bytes` of the same program.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {{
        let mut size = 0;
        // SAFETY: asked for the size only, and then given as much.
        unsafe {{
            let nothing = ptr::null_mut();
            self.context.done({store}(self.context.pointer, self.pointer, nothing, &mut size))?;
            let mut bytes = Vec::<u8>::with_capacity(size);
            let mut to: *mut c_void = bytes.as_mut_ptr().cast();
            self.context.done({store}(self.context.pointer, self.pointer, &mut to, &mut size))?;
            bytes.set_len(size);
            Ok(bytes)
        }}
    }}

    /// A value from bytes.
    ///
    /// # Safety
    ///
    /// The bytes are whole, as `to_bytes` gave them: where they end is not checked.
    pub unsafe fn from_bytes(context: &'c Context, bytes: &[u8]) -> Result<Self, Error> {{
        // SAFETY: see above.
        let pointer = unsafe {{ {restore}(context.pointer, bytes.as_ptr().cast()) }};
        if pointer.is_null() {{ Err(context.missing()) }} else {{ Ok({ty}::own(context, pointer)) }}
    }}
}}
"
        ));
        match what {
            What::Nothing => Ok(()),
            What::Record(fields) => {
                let mut scope = Scope::new(OPAQUE);
                self.made_of(&ty, "new", &of("new"), "A record of these fields.", fields)?;
                self.fields(&ty, fields, &mut scope, "The field")
            }
            What::Sum(variants) => self.sum(&ty, suffix, variants),
            What::Array { element, rank, fields } => {
                self.opaque_array(&ty, suffix, element, *rank)?;
                let mut scope = Scope::new(OPAQUE);
                if !fields.is_empty() {
                    self.made_of(
                        &ty,
                        "zip",
                        &of("zip"),
                        "An array of records from arrays of their fields.",
                        fields,
                    )?;
                }
                self.fields(&ty, fields, &mut scope, "The array of the fields")
            }
        }
    }

    /// A function that makes a value of those of its fields.
    fn made_of(
        &mut self,
        ty: &str,
        name: &str,
        function: &str,
        doc: &str,
        fields: &[Field],
    ) -> Result<()> {
        let parts: Vec<(String, String)> =
            fields.iter().map(|f| (f.name.clone(), f.ty.clone())).collect();
        self.constructor(ty, name, function, doc, &parts)
    }

    fn constructor(
        &mut self,
        ty: &str,
        name: &str,
        function: &str,
        doc: &str,
        parts: &[(String, String)],
    ) -> Result<()> {
        let mut scope = Scope::new(&["context", "out"]);
        let (mut parameters, mut raw, mut passed) = (String::new(), String::new(), String::new());
        for (i, (part, part_ty)) in parts.iter().enumerate() {
            let part_ty = self.rust(part_ty)?;
            let part = scope.give(snake(part));
            let _ = write!(parameters, ", {part}: {}", part_ty.parameter(false));
            let _ = write!(raw, ", v{i}: {}", part_ty.raw());
            let _ = write!(passed, ", {}", part_ty.passed(&part));
        }
        self.declare(
            function,
            &format!("context: *mut c_void, out: *mut *mut c_void{raw}"),
            "c_int",
        );
        self.add(&format!(
            "
impl<'c> {ty}<'c> {{
    /// {doc}
    pub fn {name}(context: &'c Context{parameters}) -> Result<Self, Error> {{
        let mut out: *mut c_void = ptr::null_mut();
        // SAFETY: all values live; those of another context are refused.
        context.done(unsafe {{ {function}(context.pointer, &mut out{passed}) }})?;
        Ok({ty}::own(context, out))
    }}
}}
"
        ));
        Ok(())
    }

    /// A method for each field.
    fn fields(&mut self, ty: &str, fields: &[Field], scope: &mut Scope, doc: &str) -> Result<()> {
        for field in fields {
            let name = scope.give(snake(&field.name));
            let result = self.rust(&field.ty)?;
            let (kept, raw) = (result.kept(), result.raw());
            self.declare(
                &field.project,
                &format!("context: *mut c_void, out: *mut {raw}, value: *mut c_void"),
                "c_int",
            );
            self.add(&format!(
                "
impl<'c> {ty}<'c> {{
    /// {doc} `{}`.
    pub fn {name}(&self) -> Result<{kept}, Error> {{
        {}
        // SAFETY: the value lives.
        self.context.done(unsafe {{ {}(self.context.pointer, &mut out, self.pointer) }})?;
        Ok({})
    }}
}}
",
                field.name,
                result.variable("out"),
                field.project,
                result.taken("out", "self.context"),
            ));
        }
        Ok(())
    }

    fn sum(&mut self, ty: &str, suffix: &str, variants: &[Variant]) -> Result<()> {
        let value = self.scope.give(format!("{ty}Value"));
        let mut methods = Scope::new(OPAQUE);
        let mut cases = Scope::new(&[]);
        let (mut enumeration, mut arms) = (String::new(), String::new());
        for (tag, variant) in variants.iter().enumerate() {
            let method = methods.give(snake(&variant.name));
            let parts: Vec<(String, String)> = variant
                .payload
                .iter()
                .enumerate()
                .map(|(i, ty)| (format!("v{i}"), ty.clone()))
                .collect();
            let doc = format!("The variant `{}`.", variant.name);
            self.constructor(ty, &method, &variant.construct, &doc, &parts)?;
            let case = cases.give(camel(&variant.name));
            let (mut types, mut raw, mut variables) = (Vec::new(), String::new(), String::new());
            let (mut passed, mut values) = (String::new(), Vec::new());
            for (i, payload) in variant.payload.iter().enumerate() {
                let payload = self.rust(payload)?;
                let name = format!("v{i}");
                types.push(payload.kept());
                let _ = write!(raw, ", {name}: *mut {}", payload.raw());
                let _ = write!(variables, "{} ", payload.variable(&name));
                let _ = write!(passed, ", &mut {name}");
                values.push(payload.taken(&name, "self.context"));
            }
            let signature = format!("context: *mut c_void{raw}, value: *mut c_void");
            self.declare(&variant.destruct, &signature, "c_int");
            let holds = |parts: &[String]| match parts {
                [] => String::new(),
                parts => format!("({})", parts.join(", ")),
            };
            let _ =
                writeln!(enumeration, "    /// `{}`.\n    {case}{},", variant.name, holds(&types));
            let _ = writeln!(
                arms,
                "            {tag} => {{ {variables}
                // SAFETY: the value lives and is of this variant.
                self.context.done(unsafe {{ {}(self.context.pointer{passed}, self.pointer) }})?;
                Ok({value}::{case}{}) }}",
                variant.destruct,
                holds(&values)
            );
        }
        // Without values, no variant needs the lifetime.
        let variant_of = format!("futhark_variant_{suffix}");
        self.declare(&variant_of, "context: *mut c_void, value: *mut c_void", "c_int");
        let borrowed = enumeration.contains("'c");
        let parameter = if borrowed { "<'c>" } else { "" };
        self.add(&format!(
            "
/// What values of the program's type behind [`{ty}`] are.
#[derive(Debug)]
pub enum {value}{parameter} {{
{enumeration}}}

impl<'c> {ty}<'c> {{
    /// Which variant it is, with its values.
    pub fn value(&self) -> Result<{value}{parameter}, Error> {{
        // SAFETY: the value lives.
        match unsafe {{ {variant_of}(self.context.pointer, self.pointer) }} {{
{arms}            _ => Err(self.context.missing()),
        }}
    }}
}}
"
        ));
        Ok(())
    }

    fn opaque_array(&mut self, ty: &str, suffix: &str, element: &str, rank: usize) -> Result<()> {
        let element = self.rust(element)?;
        let of = |f: &str| format!("futhark_{f}_{suffix}");
        let (index, set, shape, new) = (of("index"), of("set"), of("shape"), of("new"));
        let numbers: String = (0..rank).map(|i| format!(", i{i}: i64")).collect();
        let given: String = (0..rank).map(|i| format!(", numbers[{i}]")).collect();
        let ctx = "context: *mut c_void";
        self.declare(
            &index,
            &format!("{ctx}, out: *mut *mut c_void, array: *mut c_void{numbers}"),
            "c_int",
        );
        self.declare(
            &set,
            &format!("{ctx}, array: *mut c_void, element: *mut c_void{numbers}"),
            "c_int",
        );
        self.declare(&shape, &format!("{ctx}, array: *mut c_void"), "*const i64");
        self.declare(
            &new,
            &format!("{ctx}, out: *mut *mut c_void, elements: *const *mut c_void{numbers}"),
            "c_int",
        );
        let (owned, kept) = (element.owned(), element.kept());
        let taken = element.taken("out", "self.context");
        self.add(&format!(
            "
impl<'c> {ty}<'c> {{
    fn numbers(index: [usize; {rank}]) -> Result<[i64; {rank}], Error> {{
        let mut numbers = [0; {rank}];
        for (number, i) in numbers.iter_mut().zip(index) {{
            *number = i64::try_from(i).map_err(|e| Error::Program(e.to_string()))?;
        }}
        Ok(numbers)
    }}

    /// An array of these elements, row by row.
    pub fn new(context: &'c Context, elements: &[&{owned}], shape: [usize; {rank}]) -> Result<Self, Error> {{
        let count = shape.iter().try_fold(1usize, |count, n| count.checked_mul(*n));
        if count != Some(elements.len()) {{
            return Err(Error::Shape {{ elements: elements.len(), shape: shape.to_vec() }});
        }}
        let numbers = Self::numbers(shape)?;
        let pointers: Vec<*mut c_void> = elements.iter().map(|element| element.pointer).collect();
        let mut out: *mut c_void = ptr::null_mut();
        // SAFETY: there are as many elements as the sizes say, and all live.
        context.done(unsafe {{ {new}(context.pointer, &mut out, pointers.as_ptr(){given}) }})?;
        Ok({ty}::own(context, out))
    }}

    /// Its sizes, outermost first.
    pub fn shape(&self) -> Result<[usize; {rank}], Error> {{
        // SAFETY: the array lives, and has as many sizes as dimensions, which live as long.
        unsafe {{
            let sizes = {shape}(self.context.pointer, self.pointer);
            if sizes.is_null() {{
                return Err(self.context.missing());
            }}
            let mut shape = [0; {rank}];
            for (i, n) in shape.iter_mut().enumerate() {{
                *n = usize::try_from(*sizes.add(i)).map_err(|e| Error::Other(e.to_string()))?;
            }}
            Ok(shape)
        }}
    }}

    /// An element; an index that is too large is an error.
    pub fn get(&self, index: [usize; {rank}]) -> Result<{kept}, Error> {{
        let numbers = Self::numbers(index)?;
        let mut out: *mut c_void = ptr::null_mut();
        // SAFETY: the array lives.
        self.context.done(unsafe {{ {index}(self.context.pointer, &mut out, self.pointer{given}) }})?;
        Ok({taken})
    }}

    /// Replaces an element. What shares memory with this array keeps its elements.
    pub fn set(&mut self, index: [usize; {rank}], element: &{owned}) -> Result<(), Error> {{
        let numbers = Self::numbers(index)?;
        // SAFETY: array and element live.
        self.context.done(unsafe {{ {set}(self.context.pointer, self.pointer, element.pointer{given}) }})
    }}
}}
"
        ));
        Ok(())
    }
}
