//! FutharkScript (guide, `futhark-literate`): its syntax, and its evaluation on a server.

use crate::server::{Server, ServerError};
use crate::value::{Reader, Value};
use futc_typed::prim::PrimType;
use std::collections::HashMap;
use std::path::Path;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Script {
    /// `f x y`, or a variable.
    Call(String, Vec<Script>),
    /// `(x, y)`
    Tuple(Vec<Script>),
    /// `{a = x}`
    Record(Vec<(String, Script)>),
    /// `let (a, b) = x in y`
    Let(Vec<String>, Box<Script>, Box<Script>),
    /// A literal, or an array of literals.
    Value(Value),
    /// `"text"`: a file name to the built-in functions, bytes to others.
    String(String),
}

/// What an expression evaluates to.
#[derive(Clone, Debug)]
pub enum ScriptValue {
    /// A value at hand.
    Value(Value),
    /// A variable of the server, with its type.
    Var(String, String),
    /// A tuple.
    Tuple(Vec<ScriptValue>),
    /// A record.
    Record(Vec<(String, ScriptValue)>),
    /// A string literal.
    String(String),
}

/// Parses a whole expression.
pub fn parse(text: &str) -> Result<Script, String> {
    let mut p = Parser { text, pos: 0 };
    let e = p.expression()?;
    p.space();
    if p.rest().is_empty() { Ok(e) } else { p.fail("unexpected text after the expression") }
}

struct Parser<'a> {
    text: &'a str,
    pos: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or("")
    }

    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("script, byte {}: {what}", self.pos))
    }

    fn space(&mut self) {
        loop {
            let r = self.rest();
            self.pos += r.len() - r.trim_start().len();
            if !self.rest().starts_with("--") {
                return;
            }
            self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn eat(&mut self, s: &str) -> bool {
        self.space();
        if self.rest().starts_with(s) {
            self.pos += s.len();
            true
        } else {
            false
        }
    }

    fn expect(&mut self, s: &str) -> Result<(), String> {
        if self.eat(s) { Ok(()) } else { self.fail(&format!("expected '{s}'")) }
    }

    fn word(&mut self) -> Option<&'a str> {
        self.space();
        let r = self.rest();
        let n = r
            .char_indices()
            .find(|(i, c)| !(c.is_alphanumeric() || "_'.".contains(*c) || (*i == 0 && *c == '$')))
            .map_or(r.len(), |(i, _)| i);
        let w = r.get(..n)?;
        let starts = w.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
        starts.then_some(w)
    }

    fn identifier(&mut self) -> Result<String, String> {
        match self.word() {
            Some(w) => {
                self.pos += w.len();
                Ok(w.to_string())
            }
            None => self.fail("expected a name"),
        }
    }

    fn expression(&mut self) -> Result<Script, String> {
        if self.word() == Some("let") {
            self.pos += 3;
            let mut names = Vec::new();
            if self.eat("(") {
                while !self.eat(")") {
                    names.push(self.identifier()?);
                    self.eat(",");
                }
            } else {
                names.push(self.identifier()?);
            }
            self.expect("=")?;
            let rhs = self.expression()?;
            if self.word() != Some("in") {
                return self.fail("expected 'in'");
            }
            self.pos += 2;
            let body = self.expression()?;
            return Ok(Script::Let(names, Box::new(rhs), Box::new(body)));
        }
        match self.word() {
            Some(w) if !is_literal_word(w) => {
                self.pos += w.len();
                let mut args = Vec::new();
                while let Some(a) = self.atom()? {
                    args.push(a);
                }
                Ok(Script::Call(w.to_string(), args))
            }
            _ => match self.atom()? {
                Some(a) => Ok(a),
                None => self.fail("expected an expression"),
            },
        }
    }

    fn atom(&mut self) -> Result<Option<Script>, String> {
        self.space();
        let Some(c) = self.rest().chars().next() else { return Ok(None) };
        match c {
            '(' => {
                self.pos += 1;
                let mut parts = Vec::new();
                let mut comma = false;
                while !self.eat(")") {
                    parts.push(self.expression()?);
                    if self.eat(",") {
                        comma = true;
                    } else {
                        self.expect(")")?;
                        break;
                    }
                }
                match (parts.pop(), parts.is_empty(), comma) {
                    (Some(one), true, false) => Ok(Some(one)),
                    (last, _, _) => {
                        parts.extend(last);
                        Ok(Some(Script::Tuple(parts)))
                    }
                }
            }
            '{' => {
                self.pos += 1;
                let mut fields = Vec::new();
                while !self.eat("}") {
                    let name = self.identifier()?;
                    self.expect("=")?;
                    fields.push((name, self.expression()?));
                    if !self.eat(",") {
                        self.expect("}")?;
                        break;
                    }
                }
                Ok(Some(Script::Record(fields)))
            }
            '"' => {
                let r = self.rest();
                let Some(n) = r.get(1..).and_then(|s| s.find('"')) else {
                    return self.fail("the string has no end");
                };
                let s = r.get(1..=n).unwrap_or("").to_string();
                self.pos += n + 2;
                Ok(Some(Script::String(s)))
            }
            '[' => self.literal().map(Some),
            c if c.is_ascii_digit() || c == '-' => self.literal().map(Some),
            _ => match self.word() {
                Some("in" | "let") | None => Ok(None),
                Some(w) if is_literal_word(w) => self.literal().map(Some),
                Some(w) => {
                    self.pos += w.len();
                    Ok(Some(Script::Call(w.to_string(), Vec::new())))
                }
            },
        }
    }

    fn literal(&mut self) -> Result<Script, String> {
        let mut reader = Reader::new(self.rest().as_bytes());
        match reader.next_value() {
            Ok(Some(v)) => {
                self.pos += reader.position();
                Ok(Script::Value(v))
            }
            Ok(None) => self.fail("expected a value"),
            Err(e) => self.fail(&e.to_string()),
        }
    }
}

fn is_literal_word(w: &str) -> bool {
    matches!(
        w,
        "true"
            | "false"
            | "empty"
            | "f16.nan"
            | "f32.nan"
            | "f64.nan"
            | "f16.inf"
            | "f32.inf"
            | "f64.inf"
    )
}

/// Evaluates `script` on `server`; files are relative to `dir`.
pub fn evaluate(script: &Script, server: &mut Server, dir: &Path) -> Result<ScriptValue, String> {
    Evaluator { server, dir }.run(script, &HashMap::new())
}

struct Evaluator<'a> {
    server: &'a mut Server,
    dir: &'a Path,
}

type Scope = HashMap<String, ScriptValue>;

impl Evaluator<'_> {
    fn run(&mut self, script: &Script, scope: &Scope) -> Result<ScriptValue, String> {
        match script {
            Script::Value(v) => Ok(ScriptValue::Value(v.clone())),
            Script::String(s) => Ok(ScriptValue::String(s.clone())),
            Script::Tuple(parts) => {
                let parts: Result<Vec<_>, _> = parts.iter().map(|p| self.run(p, scope)).collect();
                Ok(ScriptValue::Tuple(parts?))
            }
            Script::Record(fields) => {
                let mut out = Vec::new();
                for (name, e) in fields {
                    out.push((name.clone(), self.run(e, scope)?));
                }
                Ok(ScriptValue::Record(out))
            }
            Script::Let(names, rhs, body) => {
                let value = self.run(rhs, scope)?;
                let mut inner = scope.clone();
                match (names.as_slice(), value) {
                    ([one], v) => {
                        inner.insert(one.clone(), v);
                    }
                    (_, ScriptValue::Tuple(parts)) if parts.len() == names.len() => {
                        inner.extend(names.iter().cloned().zip(parts));
                    }
                    _ => return Err("script: the pattern does not fit the value".into()),
                }
                self.run(body, &inner)
            }
            Script::Call(name, args) => {
                let mut values = Vec::new();
                for a in args {
                    values.push(self.run(a, scope)?);
                }
                if values.is_empty()
                    && let Some(v) = scope.get(name)
                {
                    return Ok(v.clone());
                }
                match name.strip_prefix('$') {
                    Some(builtin) => self.builtin(builtin, &values),
                    None => self.call(name, values),
                }
            }
        }
    }

    fn builtin(&mut self, name: &str, args: &[ScriptValue]) -> Result<ScriptValue, String> {
        let file = match args {
            [ScriptValue::String(s)] => self.dir.join(s),
            _ => return Err(format!("script: ${name} takes a file name")),
        };
        let bytes = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        match name {
            "loaddata" => {
                let mut values: Vec<ScriptValue> = Reader::new(&bytes)
                    .all()
                    .map_err(|e| format!("{}: {e}", file.display()))?
                    .into_iter()
                    .map(ScriptValue::Value)
                    .collect();
                match (values.pop(), values.is_empty()) {
                    (Some(one), true) => Ok(one),
                    (last, _) => {
                        values.extend(last);
                        Ok(ScriptValue::Tuple(values))
                    }
                }
            }
            "loadbytes" => Ok(ScriptValue::Value(bytes_value(&bytes))),
            _ => Err(format!("script: there is no built-in function ${name}")),
        }
    }

    fn call(&mut self, name: &str, args: Vec<ScriptValue>) -> Result<ScriptValue, String> {
        let say = |e: ServerError| e.to_string();
        let types = self.server.inputs(name).map_err(say)?;
        if types.len() != args.len() {
            return Err(format!(
                "script: {name} takes {} arguments, but is given {}",
                types.len(),
                args.len()
            ));
        }
        let mut vars = Vec::new();
        for (ty, arg) in types.iter().zip(args) {
            vars.push(self.variable(ty.trim_start_matches('*'), arg)?);
        }
        let outs = self.server.call(name, &vars).map_err(say)?;
        let types = self.server.outputs(name).map_err(say)?;
        let mut results: Vec<ScriptValue> = outs
            .into_iter()
            .zip(types)
            .map(|(v, t)| ScriptValue::Var(v, t.trim_start_matches('*').to_string()))
            .collect();
        match (results.pop(), results.is_empty()) {
            (Some(one), true) => Ok(one),
            (last, _) => {
                results.extend(last);
                Ok(ScriptValue::Tuple(results))
            }
        }
    }

    /// A server variable of type `ty` holding `value`.
    fn variable(&mut self, ty: &str, value: ScriptValue) -> Result<String, String> {
        let say = |e: ServerError| e.to_string();
        match value {
            ScriptValue::Var(v, _) => Ok(v),
            ScriptValue::Value(v) => {
                let element = ty.trim_start_matches("[]");
                let v = match PrimType::from_name(element) {
                    Some(p) => v.retyped(p).unwrap_or(v),
                    None => v,
                };
                self.server.put(&v).map_err(say)
            }
            ScriptValue::String(s) => self.server.put(&bytes_value(s.as_bytes())).map_err(say),
            ScriptValue::Tuple(parts) => {
                let fields = self.fields(ty)?;
                if fields.len() != parts.len() {
                    return Err(format!("script: a tuple of {} for {ty}", parts.len()));
                }
                self.build(ty, fields.into_iter().map(|(_, t)| t).zip(parts).collect())
            }
            ScriptValue::Record(mut given) => {
                let mut parts = Vec::new();
                for (name, t) in self.fields(ty)? {
                    let Some(i) = given.iter().position(|(n, _)| *n == name) else {
                        return Err(format!("script: the field {name} is missing"));
                    };
                    parts.push((t, given.swap_remove(i).1));
                }
                self.build(ty, parts)
            }
        }
    }

    fn fields(&mut self, ty: &str) -> Result<Vec<(String, String)>, String> {
        self.server.fields(ty).map_err(|e| e.to_string())
    }

    fn build(&mut self, ty: &str, parts: Vec<(String, ScriptValue)>) -> Result<String, String> {
        let mut vars = Vec::new();
        for (t, p) in parts {
            vars.push(self.variable(&t, p)?);
        }
        let out = self.server.fresh();
        let mut words = vec!["new", out.as_str(), ty];
        words.extend(vars.iter().map(String::as_str));
        self.server.command(&words).map_err(|e| e.to_string())?;
        Ok(out)
    }
}

fn bytes_value(bytes: &[u8]) -> Value {
    Value {
        prim: PrimType::U8,
        suffixed: true,
        shape: vec![bytes.len() as u64],
        data: bytes.to_vec(),
    }
}

/// Server variables for the arguments of `entry`: an n-tuple becomes n arguments.
pub fn arguments(
    server: &mut Server,
    dir: &Path,
    entry: &str,
    value: ScriptValue,
) -> Result<Vec<String>, String> {
    let types = server.inputs(entry).map_err(|e| e.to_string())?;
    let parts = match value {
        ScriptValue::Tuple(parts) if types.len() != 1 => parts,
        one => vec![one],
    };
    if parts.len() != types.len() {
        return Err(format!(
            "script: {entry} takes {} arguments, the script gives {}",
            types.len(),
            parts.len()
        ));
    }
    let mut e = Evaluator { server, dir };
    types.iter().zip(parts).map(|(t, p)| e.variable(t.trim_start_matches('*'), p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_grammar() {
        let call = |f: &str, a: Vec<Script>| Script::Call(f.into(), a);
        assert_eq!(
            parse("f (g x, y) z").expect("parses"),
            call(
                "f",
                vec![
                    Script::Tuple(vec![call("g", vec![call("x", vec![])]), call("y", vec![])]),
                    call("z", vec![])
                ]
            )
        );
        assert!(matches!(
            parse("let (a, b) = $loaddata \"foo.in\" in bar a b"),
            Ok(Script::Let(n, _, _)) if n == ["a", "b"]
        ));
        assert!(
            matches!(parse("f 10i64 [1,2] true {a = 1}"), Ok(Script::Call(_, a)) if a.len() == 4)
        );
        assert!(matches!(parse("{}"), Ok(Script::Record(f)) if f.is_empty()));
        assert!(parse("f (x").is_err());
        assert!(parse("").is_err());
    }
}
