//! What operators see of a job's input and of messages: without secrets, and without what makes a link open something.

use serde_json::{Map, Value};

use crate::shared_paths;

/// Characters of a text that are shown.
const MAX_TEXT: usize = 1000;

/// Bytes of a member of an input that are shown; larger ones, such as arrangements of furniture, are named instead.
const MAX_MEMBER: usize = 4096;

/// What keys and secrets of this service begin with.
const SECRETS: [&str; 3] = ["aerie_live_", "aerie_op_", "whsec_"];

/// An input as it is shown, and the names of members that are too large for that.
pub(super) fn input(input: &Value) -> (Value, Vec<String>) {
    let Value::Object(members) = input else { return (value(input), Vec::new()) };
    let (mut shown, mut omitted) = (Map::new(), Vec::new());
    for (name, member) in members {
        let member = value(member);
        if member.to_string().len() > MAX_MEMBER {
            omitted.push(name.clone());
        } else {
            shown.insert(name.clone(), member);
        }
    }
    (Value::Object(shown), omitted)
}

fn value(given: &Value) -> Value {
    match given {
        Value::String(given) => Value::String(text(given)),
        Value::Array(entries) => entries.iter().map(value).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), value(member))).collect(),
        other => other.clone(),
    }
}

/// A text in which links are without their query, user and token, and secrets are left out.
pub(super) fn text(given: &str) -> String {
    let mut shown: String = given.split_inclusive(char::is_whitespace).map(word).collect();
    if let Some((end, _)) = shown.char_indices().nth(MAX_TEXT) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// One word, with the space after it.
fn word(word: &str) -> String {
    if let Some(at) = SECRETS.iter().filter_map(|secret| Some(word.find(secret)? + secret.len())).min() {
        return format!("{}…{}", &word[..at], space_after(word));
    }
    match word.find("://") {
        Some(at) => link(&word[..at + 3], &word[at + 3..]),
        // A link of this server without its name.
        None if word.starts_with('/') => path(word),
        None => word.to_owned(),
    }
}

fn link(scheme: &str, rest: &str) -> String {
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}{host}{}", path(rest))
}

fn path(given: &str) -> String {
    let end = given.find(['?', '#', ';']).unwrap_or(given.len());
    let (path, rest) = given.split_at(end);
    let mark = if rest.is_empty() { "" } else { "?…" };
    let space = if rest.is_empty() { "" } else { space_after(given) };
    format!("{}{mark}{space}", shared_paths::loggable(path))
}

fn space_after(word: &str) -> &str {
    &word[word.trim_end().len()..]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn links_are_shown_without_what_opens_them() {
        for (given, shown) in [
            ("https://a.test/b.jpg", "https://a.test/b.jpg"),
            ("https://a.test/b.jpg?sig=secret&x=1", "https://a.test/b.jpg?…"),
            ("https://a.test?sig=secret", "https://a.test?…"),
            ("https://me:secret@a.test:8443/b.jpg#secret", "https://a.test:8443/b.jpg?…"),
            ("https://a.test/b.jpg;jsessionid=secret", "https://a.test/b.jpg?…"),
            ("cannot fetch http://a.test/b?sig=secret , sorry", "cannot fetch http://a.test/b?… , sorry"),
            ("see\nhttp://a.test/b?sig=secret\nthere", "see\nhttp://a.test/b?…\nthere"),
            ("/media/a/b.jpg?expires=1&signature=secret", "/media/a/b.jpg?…"),
            ("https://a.test/s/secret", "https://a.test/s/…"),
            ("https://a.test/v1/shared/secret/approvals?x", "https://a.test/v1/shared/…/approvals?…"),
            ("a bit warmer? yes; please #1", "a bit warmer? yes; please #1"),
            ("the key aerie_live_secret and aerie_op_secret\n", "the key aerie_live_… and aerie_op_…\n"),
            ("(whsec_secret)", "(whsec_…"),
        ] {
            assert_eq!(text(given), shown, "{given}");
        }
    }

    #[test]
    fn long_texts_are_cut_and_large_members_are_named() {
        assert_eq!(text(&"é".repeat(2000)), format!("{}…", "é".repeat(1000)));
        let given = json!({
            "address": "12 Larkspur Lane",
            "photos": [{"image_url": "https://a.test/b?secret", "count": 3}],
            "arrangement": vec!["piece"; 1000],
        });
        let (shown, omitted) = input(&given);
        let expected =
            json!({"address": "12 Larkspur Lane", "photos": [{"image_url": "https://a.test/b?…", "count": 3}]});
        assert_eq!((shown, omitted), (expected, vec!["arrangement".to_owned()]));
    }
}
