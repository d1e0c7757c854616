//! URLs at which clients reach this installation.

use anyhow::{bail, ensure};

/// Checks a URL that links begin with: scheme, host, a port and a path if there are any, and nothing else.
///
/// # Errors
/// A URL that is not of this form; the message names the key.
pub(super) fn check(key: &str, url: &str) -> anyhow::Result<()> {
    let Some(rest) = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")) else {
        bail!("{key} must begin with http:// or https://, such as https://media.example.com");
    };
    ensure!(!url.ends_with('/'), "{key} must not end with a slash");
    ensure!(
        !url.contains(['?', '#']),
        "{key} must not have a query (`?`) or a fragment (`#`): the paths of links follow it"
    );
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    // Not quoted, as it may contain a password.
    ensure!(!authority.contains('@'), "{key} must not name a user: every link would contain the name and its password");
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let is_named = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.chars().all(is_named),
    };
    ensure!(
        is_host,
        "{key} must have the name or address of a host after `//`, such as https://media.example.com; names with other letters \
         in their `xn--` form"
    );
    ensure!(
        port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0)),
        "{key} must have a port from 1 to 65535 after the host, or none"
    );
    let is_segment = |part: &str| !matches!(part, "" | "." | "..") && part.chars().all(|c| is_named(c) || c == '~');
    ensure!(
        path.split('/').skip(1).all(is_segment),
        "{key} may have a path of letters, digits and `-._~` between single slashes, such as https://example.com/aerie"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scheme_host_port_and_path_are_accepted_and_others_are_named() {
        for good in [
            "https://media.example.com",
            "http://127.0.0.1:8080/aerie",
            "https://[2001:db8::1]:8443",
            "https://[::1]/a/b-c_d.e~f",
            "https://example.com/media",
        ] {
            check("base_url", good).unwrap_or_else(|error| panic!("{good}: {error}"));
        }
        for (bad, part) in [
            ("media.example.com", "http://"),
            ("ftp://example.com", "http://"),
            ("https://example.com/", "slash"),
            ("https://example.com/aerie/", "slash"),
            ("https://example.com/aerie?x=1", "query"),
            ("https://example.com#top", "fragment"),
            ("https://user:secret@example.com/aerie", "user"),
            ("https://", "slash"),
            ("https:///aerie", "host"),
            ("https://exa mple.com", "host"),
            ("https://münchen.example", "xn--"),
            ("https://[::g]", "host"),
            ("https://example.com:0", "port"),
            ("https://example.com:http/aerie", "port"),
            ("https://example.com//aerie", "single slashes"),
            ("https://example.com/a/../b", "single slashes"),
            ("https://example.com/a b", "single slashes"),
            ("https://example.com/a%2Fb", "single slashes"),
        ] {
            let error = check("base_url", bad).unwrap_err().to_string();
            assert!(
                error.starts_with("base_url") && error.contains(part) && !error.contains("secret"),
                "{bad}: {error}"
            );
        }
    }
}
