//! The whole store.

/// Declares [`Store`] as these concerns together.
macro_rules! store {
    ($($concern:ident)*) => {
        /// Everything that a database backend provides, for callers that need several concerns. A trait per concern, because an
        /// `impl` cannot be split over files: with one trait, each backend would have a file of more than a hundred methods.
        pub trait Store: $(crate::$concern +)* {}

        impl<T: $(crate::$concern +)*> Store for T {}
    };
}

store! {
    JobQueue TenantStore IdempotencyStore MaintenanceStore PackStore UploadStore ListingStore ShareStore EventStore
    WebhookStore SessionStore OperatorStore TruthPageStore
}
