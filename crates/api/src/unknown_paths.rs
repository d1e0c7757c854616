//! Paths without a route that need credentials all the same, so that nobody else learns which routes there are.

/// Those that need a key.
pub(crate) const TO_KEYS: [&str; 3] = ["/v1", "/v1/", "/v1/{*unknown}"];
/// Those that need a session of the console.
pub(crate) const TO_SESSIONS: [&str; 2] = ["/console/api/", "/console/api/{*unknown}"];
/// Those among [`TO_KEYS`] that are for viewers of share links, who have no key.
pub(crate) const TO_VIEWERS: [&str; 3] = ["/v1/shared/", "/v1/shared/{token}/", "/v1/shared/{token}/{*unknown}"];

/// Returns true if a path of the router is one of these.
pub(crate) fn contain(path: &str) -> bool {
    TO_KEYS.iter().chain(&TO_SESSIONS).chain(&TO_VIEWERS).any(|unknown| *unknown == path)
}
