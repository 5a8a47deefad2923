//! Whether two programs are the same code.

/// Assembly without what says where in the source something stands, and how long that text is.
pub fn without_places(assembly: &str) -> String {
    let mut out = String::new();
    for line in assembly.lines() {
        let text = line.trim_start();
        let message = text.starts_with(".asciz") && text.contains(".fut:");
        if !message && !text.starts_with(".size") {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_places;

    #[test]
    fn places_are_no_code() {
        let at = |place: &str, size: u32| {
            format!("\tret\nstring_0:\n\t.asciz\t\"a.fut:{place}\"\n\t.size\tstring_0, {size}\n")
        };
        assert_eq!(without_places(&at("1:2", 5)), without_places(&at("11:22-33", 9)));
        assert_ne!(without_places(&at("1:2", 5)), without_places("\tnop\n\tret\nstring_0:\n"));
    }
}
