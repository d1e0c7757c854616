//! Drives the real `aerie` binary over HTTP.
