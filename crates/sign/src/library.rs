//! What writing and reading share: settings of the C2PA library, and labels.

use c2pa::Context;
use serde_json::{Value, json};

/// Videos up to this size are held in memory while they are signed, larger ones in a temporary file; megabytes.
const IN_MEMORY_MB: usize = 16;
/// Label of the assertion with the disclosure and the attributions.
pub(crate) const DISCLOSURE: &str = "aerie.disclosure";
/// Label of the assertion with the actions.
pub(crate) const ACTIONS: &str = "c2pa.actions.v2";

/// Settings of the C2PA library: nothing is requested over the network, and no thumbnails or actions are added on its own account.
///
/// # Errors
/// When the library does not know a setting.
pub fn without_network(trust: &Value) -> c2pa::Result<Context> {
    let settings = json!({
        "trust": trust,
        "core": {"backing_store_memory_threshold_in_mb": IN_MEMORY_MB},
        "verify": {"ocsp_fetch": false, "remote_manifest_fetch": false, "verify_after_sign": false},
        "builder": {
            "thumbnail": {"enabled": false},
            "actions": {
                "auto_created_action": {"enabled": false},
                "auto_opened_action": {"enabled": false},
                "auto_placed_action": {"enabled": false},
            },
        },
    });
    Context::new().with_settings(settings.to_string())
}
