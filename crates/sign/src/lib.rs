//! Embeds Content Credentials (C2PA) in files, and verifies them. A program of its own, `aerie-sign`, because it reads untrusted files,
//! and because its library is as large as the service. Nothing here uses the network.
mod embed;
mod library;
mod trial;
mod verify;

pub use embed::{EmbedError, Sign, SignError, embed};
pub use library::without_network;
pub use trial::try_out;
pub use verify::{ReadError, verify};
