//! Properties: entry points of type `t -> bool` with the attribute `#[prop]`, tried on random values
//! (reference manual of `futhark-test`, "Property-based testing").
//!
//! Everything goes through a server executable of the program: it tells the attributes and types of
//! entry points, makes values and takes them apart.

mod candidate;
mod show;
mod trouble;

pub use trouble::Trouble;

use crate::dataset::Rng;
use crate::server::{Server, ServerError};
use candidate::Candidate;
use show::show;
use trouble::failed;

/// How properties are tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// How many values are tried.
    pub tests: u32,
    /// The sizes of generated values, unless the property says another.
    pub size: i64,
    /// What the random values depend on.
    pub seed: u64,
    /// So often in a row a shrinker may fail to give a smaller counterexample.
    pub tries: u32,
}

/// How programs complain of arguments whose sizes are not those that the entry point declares.
const ARGUMENTS_DO_NOT_FIT: &str = "arguments have invalid sizes";

/// A property, as its attribute describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Property {
    name: String,
    /// The type of its parameter.
    ty: String,
    /// The parameter is consumed.
    consumes: bool,
    generator: Option<String>,
    shrinker: Option<String>,
    size: Option<i64>,
}

/// The arguments of `#[prop]` if `text` is this attribute, split at its own commas.
fn prop_arguments(text: &str) -> Option<Vec<&str>> {
    let rest = text.trim().strip_prefix("prop")?;
    if rest.is_empty() {
        return Some(Vec::new());
    }
    let inside = rest.strip_prefix('(')?.strip_suffix(')')?;
    if inside.trim().is_empty() {
        return Some(Vec::new());
    }
    let (mut depth, mut start, mut out) = (0usize, 0, Vec::new());
    for (i, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(inside.get(start..i).unwrap_or("").trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    out.push(inside.get(start..).unwrap_or("").trim());
    Some(out)
}

/// Entry points that have the attribute, but of which no test block says that they are properties:
/// they would be forgotten.
pub fn undeclared(server: &mut Server, declared: &[String]) -> Result<Vec<String>, Trouble> {
    let mut out = Vec::new();
    for entry in server.command(&["entry_points"])? {
        let attributes = server.command(&["attributes", &entry])?;
        if attributes.iter().any(|a| prop_arguments(a).is_some()) && !declared.contains(&entry) {
            out.push(entry);
        }
    }
    Ok(out)
}

/// Tests the property that an entry point is.
pub fn test(server: &mut Server, name: &str, config: &Config) -> Result<(), Trouble> {
    let property = Property::of(server, name)?;
    let mut rng = Rng::new(config.seed);
    let size = property.size.unwrap_or(config.size);
    for test in 1..=config.tests {
        let seed = rng.bits();
        let mut found = property.candidate(server, size, seed)?;
        match property.holds(server, &found)? {
            Ok(true) => {
                found.forget(server)?;
                continue;
            }
            Ok(false) => {}
            Err(why) => {
                let input = found.show(server, &property.ty)?;
                return failed(format!(
                    "fails with an error (test {test}, size {size}, seed {})\n{}\ncandidate: {input}",
                    config.seed,
                    why.trim_end()
                ));
            }
        }
        let note = property.shrink(server, &mut found, size, seed, &mut rng, config)?;
        let input = found.show(server, &property.ty)?;
        let note = note.map_or(String::new(), |n| format!("\nnot shrunk further: {n}"));
        return failed(format!(
            "does not hold (test {test}, size {size}, seed {})\ncounterexample: {input}{note}",
            config.seed
        ));
    }
    Ok(())
}

impl Property {
    /// Reads the attribute of an entry point, and checks the types of all that it mentions.
    fn of(server: &mut Server, name: &str) -> Result<Property, Trouble> {
        if !server.command(&["entry_points"])?.iter().any(|e| e == name) {
            return failed(format!(
                "is declared as a property, but there is no entry point {name}"
            ));
        }
        let attributes = server.command(&["attributes", name])?;
        let mut props = attributes.iter().filter_map(|a| prop_arguments(a));
        let arguments = match (props.next(), props.next()) {
            (Some(one), None) => one,
            (None, _) => return failed("is declared as a property, but has no attribute #[prop]"),
            (Some(_), Some(_)) => return failed("has the attribute #[prop] more than once"),
        };
        let (inputs, outputs) = (server.inputs(name)?, server.outputs(name)?);
        let ([input], [output]) = (inputs.as_slice(), outputs.as_slice()) else {
            return failed(format!(
                "a property takes one argument and gives a bool; this one takes {} and gives {}",
                inputs.len(),
                outputs.len()
            ));
        };
        if output != "bool" {
            return failed(format!("a property gives a bool; this one gives a value of {output}"));
        }
        let mut property = Property {
            name: name.to_owned(),
            ty: input.trim_start_matches('*').to_owned(),
            consumes: input.starts_with('*'),
            generator: None,
            shrinker: None,
            size: None,
        };
        for argument in arguments {
            property.argument(argument)?;
        }
        let ty = property.ty.clone();
        if let Some(g) = &property.generator {
            check_type(server, "generator", g, &["i64", "u64"], &ty)?;
        }
        if let Some(s) = &property.shrinker {
            check_type(server, "shrinker", s, &[&ty, "u64"], &ty)?;
        }
        Ok(property)
    }

    fn argument(&mut self, argument: &str) -> Result<(), Trouble> {
        let parts = argument.split_once('(').and_then(|(k, v)| Some((k, v.strip_suffix(')')?)));
        let bad = || {
            format!(
                "#[prop] does not take '{argument}', but gen(FUNCTION), shrink(FUNCTION) and \
                 size(NUMBER), each once"
            )
        };
        match parts {
            Some(("gen", f)) if self.generator.is_none() => self.generator = Some(f.to_owned()),
            Some(("shrink", f)) if self.shrinker.is_none() => self.shrinker = Some(f.to_owned()),
            Some(("size", n)) if self.size.is_none() => match n.parse() {
                Ok(n) if n >= 0 => self.size = Some(n),
                _ => return failed(bad()),
            },
            _ => return failed(bad()),
        }
        Ok(())
    }

    /// A random value: of the generator, if there is one.
    fn candidate(&self, server: &mut Server, size: i64, seed: u64) -> Result<Candidate, Trouble> {
        let Some(generator) = &self.generator else {
            return Candidate::random(server, &self.ty, size, &mut Rng::new(seed));
        };
        candidate::generated(server, generator, &self.ty, size, seed).map_err(|e| match e {
            Trouble::Failed(why) => Trouble::Failed(format!(
                "the generator {generator} failed at size {size} and seed {seed}:\n{why}"
            )),
            crashed @ Trouble::Crashed(_) => crashed,
        })
    }

    /// Whether it holds for this value; inside, why it could not say.
    fn holds(
        &self,
        server: &mut Server,
        candidate: &Candidate,
    ) -> Result<Result<bool, String>, Trouble> {
        let var = match self.consumes {
            true => candidate::copy(server, candidate.variable(), &self.ty)?,
            false => candidate.variable().to_owned(),
        };
        let said = server.call(&self.name, std::slice::from_ref(&var));
        if self.consumes {
            server.free(&[var])?;
        }
        let outs = match said {
            Ok(outs) => outs,
            // Random arrays know nothing of sizes that are declared: servers do not tell them.
            Err(ServerError::Failure(why))
                if self.generator.is_none() && why.contains(ARGUMENTS_DO_NOT_FIT) =>
            {
                return failed(format!(
                    "random values of type {} do not have the sizes that {} declares: \
                     name a generator of such values, #[prop(gen(…))]",
                    self.ty, self.name
                ));
            }
            Err(ServerError::Failure(why)) => return Ok(Err(why)),
            Err(e @ ServerError::Gone(_)) => {
                return Err(Trouble::Crashed(format!("the property {}: {e}", self.name)));
            }
        };
        let holds = match outs.first() {
            Some(out) => server.get(out)?.int(0) == Some(1),
            None => return failed("the property gave no value"),
        };
        server.free(&outs)?;
        Ok(Ok(holds))
    }

    /// Whether the property is false of a value. One of which it cannot say is no counterexample.
    fn refuted(&self, server: &mut Server, candidate: &Candidate) -> Result<bool, Trouble> {
        Ok(self.holds(server, candidate)? == Ok(false))
    }

    /// Makes a counterexample smaller; gives back what kept it from going on, if anything did.
    fn shrink(
        &self,
        server: &mut Server,
        found: &mut Candidate,
        size: i64,
        seed: u64,
        rng: &mut Rng,
        config: &Config,
    ) -> Result<Option<String>, Trouble> {
        let done = match (&self.shrinker, &self.generator) {
            (Some(s), _) => self.shrink_with(server, found, s, rng, config.tries),
            (None, Some(_)) => self.shrink_by_size(server, found, size, seed),
            (None, None) => {
                let refuted = |server: &mut Server, c: &Candidate| self.refuted(server, c);
                candidate::shrink(server, found, &refuted)
            }
        };
        match done {
            Ok(()) => Ok(None),
            Err(Trouble::Failed(why)) => Ok(Some(why)),
            Err(crashed @ Trouble::Crashed(_)) => Err(crashed),
        }
    }

    /// By the program's own shrinker, until it has given nothing better for so many tries in a row.
    fn shrink_with(
        &self,
        server: &mut Server,
        found: &mut Candidate,
        shrinker: &str,
        rng: &mut Rng,
        tries: u32,
    ) -> Result<(), Trouble> {
        /// A shrinker that gives back what it takes would never end.
        const STEPS: u32 = 10_000;
        let mut idle = 0;
        for _ in 0..STEPS {
            if idle >= tries {
                break;
            }
            let next = candidate::shrunk(server, shrinker, &self.ty, found, rng.bits())?;
            idle += 1;
            if self.refuted(server, &next)? {
                // The same value again is no progress.
                if next.show(server, &self.ty)? != found.show(server, &self.ty)? {
                    idle = 0;
                }
                std::mem::replace(found, next).forget(server)?;
            } else {
                next.forget(server)?;
            }
        }
        Ok(())
    }

    /// By generating values of smaller and smaller sizes from the same seed.
    fn shrink_by_size(
        &self,
        server: &mut Server,
        found: &mut Candidate,
        size: i64,
        seed: u64,
    ) -> Result<(), Trouble> {
        for smaller in (1..size).rev() {
            let next = self.candidate(server, smaller, seed)?;
            if self.refuted(server, &next)? {
                std::mem::replace(found, next).forget(server)?;
            } else {
                next.forget(server)?;
            }
        }
        Ok(())
    }
}

/// Checks that `entry` takes these values and gives one of type `result`, which may come as the
/// parts of a tuple.
fn check_type(
    server: &mut Server,
    role: &str,
    entry: &str,
    wanted: &[&str],
    result: &str,
) -> Result<(), Trouble> {
    if !server.command(&["entry_points"])?.iter().any(|e| e == entry) {
        return failed(format!("the {role} {entry} is not an entry point"));
    }
    let inputs = server.inputs(entry)?;
    let inputs: Vec<&str> = inputs.iter().map(|t| t.trim_start_matches('*')).collect();
    let outputs = server.outputs(entry)?;
    let outputs: Vec<&str> = outputs.iter().map(|t| t.trim_start_matches('*')).collect();
    let parts: Vec<String> = match server.command(&["kind", result])?.first().map(String::as_str) {
        Some("record") => server.fields(result)?.into_iter().map(|(_, t)| t).collect(),
        _ => Vec::new(),
    };
    if inputs != wanted || (outputs != [result] && parts != outputs) {
        return failed(format!(
            "the {role} {entry} is to be of type\n  {} -> {result}\nbut is of type\n  {} -> {}",
            wanted.join(" -> "),
            inputs.join(" -> "),
            outputs.join(", ")
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_the_attribute_are_split_at_its_own_commas() {
        assert_eq!(prop_arguments("prop"), Some(vec![]));
        assert_eq!(prop_arguments("prop()"), Some(vec![]));
        assert_eq!(prop_arguments("prop(gen(f), size(5))"), Some(vec!["gen(f)", "size(5)"]));
        assert_eq!(prop_arguments("prop(a(b, c))"), Some(vec!["a(b, c)"]));
        assert_eq!(prop_arguments("property"), None);
        assert_eq!(prop_arguments("inline"), None);
    }

    #[test]
    fn unknown_arguments_of_the_attribute_are_refused() {
        let mut p = Property {
            name: "p".into(),
            ty: "i32".into(),
            consumes: false,
            generator: None,
            shrinker: None,
            size: None,
        };
        assert_eq!(p.argument("size(5)"), Ok(()));
        assert_eq!(p.size, Some(5));
        assert!(p.argument("size(6)").is_err(), "twice");
        assert!(p.argument("tries(3)").is_err());
        assert!(p.argument("gen").is_err());
    }
}
