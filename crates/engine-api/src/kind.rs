//! What a generation kind is: everything in which one kind differs from another, as data.

#[cfg(feature = "openapi")]
use crate::openapi::Endpoint;
use crate::{Needs, PictureLink};

/// Everything that the service, its workers and the command line need to know about a kind. Each file in `kinds/` defines one as `KIND`.
#[derive(Debug)]
pub struct Kind {
    /// `event_type` of its usage events.
    pub event_type: &'static str,
    /// Price of a completed job where the configuration names none, cents.
    pub default_price_cents: u32,
    /// How long a job takes.
    pub speed: Speed,
    /// What a job makes.
    pub medium: Medium,
    /// Whether `?preview=true` submits a preview instead: a job that makes stills in seconds and is not billed.
    pub has_preview: bool,
    /// Whether the layers of a staged picture accompany the picture into the job (see [`crate::layers`]).
    pub accepts_layers: bool,
    /// Whether the finished run waits for its owner's input (`awaiting_input`) instead of completing the job.
    pub asks_for_input: bool,
    /// What its engine needs besides the files of the job; it gets nothing else.
    pub needs: Needs,
    /// The endpoint that submits it, as the API documents it.
    #[cfg(feature = "openapi")]
    pub endpoint: Endpoint,
    /// Name of the kind of job that a job of this kind continues, for kinds whose route has a `{jobId}`.
    pub parent: Option<&'static str>,
}

/// How long a job takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speed {
    /// Seconds: it must not wait behind a video.
    Quick,
    /// Up to minutes.
    Long,
}

/// What a job makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// Pictures.
    Still,
    /// A video. Lists show its `video_url` alone.
    Video,
}

/// The request of a job, as the service needs to know it whatever the kind. By default it has none of these.
pub trait JobRequest {
    /// Returns whether the job makes a preview, which is not billed and counts against the quota only until it ends.
    fn is_preview(&self) -> bool {
        false
    }

    /// Makes the job a preview, if the kind has previews.
    fn make_preview(&mut self) {}

    /// The address of the property.
    fn address(&self) -> Option<&str> {
        None
    }

    /// The client's identifier of the listing that it belongs to.
    fn listing_id(&self) -> Option<&str> {
        None
    }

    /// The links to pictures. They are fetched before the request is answered.
    fn pictures(&self) -> Vec<PictureLink> {
        Vec::new()
    }

    /// The label to show.
    fn label(&self) -> Option<&str> {
        None
    }

    /// The name of the disclosure profile to follow.
    fn disclosure_profile(&self) -> Option<&str> {
        None
    }

    /// Sets the disclosure profile to follow, and the labels that it asks for. A label of the request stays the only one.
    fn follow_profile(&mut self, _: Labels) {}
}

/// A disclosure profile, and the labels that it asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Name of the profile.
    pub profile: String,
    /// Where a staged photo is seen.
    pub if_staged: Option<String>,
    /// Where a photo is seen that was altered otherwise.
    pub if_altered: Option<String>,
}
