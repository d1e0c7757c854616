//! How clients get media.

use serde::Deserialize;

/// How clients get media.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Delivery {
    /// Through this service.
    #[default]
    Proxy,
    /// From the media store, by a link that is valid for a few minutes, where it has such links.
    Redirect,
}
