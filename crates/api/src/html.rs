//! Text in HTML documents.

/// Text as HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, c| {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
        escaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_clients_is_shown_and_never_markup() {
        assert_eq!(escaped("<b onload='x'>\"1 & 2\""), "&lt;b onload=&#39;x&#39;&gt;&quot;1 &amp; 2&quot;");
    }
}
