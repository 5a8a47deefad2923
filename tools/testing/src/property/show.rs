//! Values in a server as text: in source syntax, as far as they can be taken apart.

use super::trouble::Trouble;
use crate::server::Server;

/// The value of `var`, which is of type `ty`.
pub fn show(server: &mut Server, var: &str, ty: &str) -> Result<String, Trouble> {
    let kind = server.command(&["kind", ty])?;
    match kind.first().map(String::as_str) {
        Some("record") => record(server, var, ty),
        Some("sum") => sum(server, var),
        Some("array") => match server.get(var) {
            Ok(value) => Ok(value.to_text()),
            // Of elements that are no scalars.
            Err(_) => array(server, var, ty),
        },
        Some("primitive") => Ok(server.get(var)?.to_text()),
        _ => Ok(format!("a value of the opaque type {ty}")),
    }
}

/// Shows the value that `words`, which end in a fresh variable's name, put there.
fn part(server: &mut Server, command: &[&str], var: &str, ty: &str) -> Result<String, Trouble> {
    server.command(command)?;
    let text = show(server, var, ty)?;
    server.free(&[var.to_owned()])?;
    Ok(text)
}

fn record(server: &mut Server, var: &str, ty: &str) -> Result<String, Trouble> {
    let fields = server.fields(ty)?;
    let tuple = fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string());
    let mut shown = Vec::new();
    for (name, ty) in fields {
        let inner = server.fresh();
        let text = part(server, &["project", &inner, var, &name], &inner, &ty)?;
        shown.push(if tuple { text } else { format!("{name} = {text}") });
    }
    let all = shown.join(", ");
    Ok(if tuple { format!("({all})") } else { format!("{{{all}}}") })
}

fn sum(server: &mut Server, var: &str) -> Result<String, Trouble> {
    let ty = server.command(&["type", var])?.first().cloned().unwrap_or_default();
    let variant = server.command(&["variant", var])?.first().cloned().unwrap_or_default();
    let payload = server.variants(&ty)?.into_iter().find(|(name, _)| *name == variant);
    let payload = payload.map_or(Vec::new(), |(_, types)| types);
    let vars: Vec<String> = payload.iter().map(|_| server.fresh()).collect();
    let mut words = vec!["destruct", var];
    words.extend(vars.iter().map(String::as_str));
    server.command(&words)?;
    let mut out = format!("#{variant}");
    for (var, ty) in vars.iter().zip(&payload) {
        let text = show(server, var, ty)?;
        let inner = text.starts_with('#') && text.contains(' ');
        out.push_str(&if inner { format!(" ({text})") } else { format!(" {text}") });
    }
    server.free(&vars)?;
    Ok(out)
}

fn array(server: &mut Server, var: &str, ty: &str) -> Result<String, Trouble> {
    let element = server.command(&["elemtype", ty])?.first().cloned().unwrap_or_default();
    let shape = server.command(&["shape", var])?;
    let shape: Vec<u64> = shape.iter().map(|n| n.parse().unwrap_or(0)).collect();
    rows(server, var, &element, &shape, &mut Vec::new())
}

fn rows(
    server: &mut Server,
    var: &str,
    element: &str,
    shape: &[u64],
    index: &mut Vec<String>,
) -> Result<String, Trouble> {
    let Some(n) = shape.get(index.len()) else {
        let inner = server.fresh();
        let mut words = vec!["index", &inner, var];
        words.extend(index.iter().map(String::as_str));
        return part(server, &words, &inner, element);
    };
    let mut shown = Vec::new();
    for i in 0..*n {
        index.push(i.to_string());
        shown.push(rows(server, var, element, shape, index)?);
        index.pop();
    }
    Ok(format!("[{}]", shown.join(", ")))
}
