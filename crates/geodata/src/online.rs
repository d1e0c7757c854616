//! Online sources: how they are asked, what is kept of their answers, and what is taken for true.

pub(crate) mod answers;
pub(crate) mod client;
pub(crate) mod nominatim;
pub(crate) mod overpass;
