//! Routes with their audience, and their part of the OpenAPI document.

use std::sync::Arc;

use aerie_domain::{JobType, Scope};
use axum::Router;
use axum::routing::MethodRouter;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::{ApiState, auth};

/// Handlers of one path with their operations, as `utoipa_axum::routes!` makes them.
pub(crate) type Documented = UtoipaMethodRouter<Arc<ApiState>>;

/// Who may use a route.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Audience {
    /// Keys and sessions with a scope.
    Scoped(Scope),
    /// Keys and sessions with the scope `generate`, of organizations that have a kind.
    OfKind(JobType),
    /// Everybody, without a key.
    Anyone,
}

/// Routes of the service. None can be added without an audience, and [`auth::authenticate`] asks for a key where the audience needs one:
/// paths that contradict their audience are found when the service starts.
pub(crate) struct Routes(OpenApiRouter<Arc<ApiState>>);

impl Routes {
    pub(crate) fn new() -> Self {
        Self(OpenApiRouter::new())
    }

    /// Adds routes that the document describes.
    pub(crate) fn add(self, audience: Audience, (schemas, paths, methods): Documented) -> Self {
        paths.paths.keys().for_each(|path| check(audience, path));
        Self(self.0.routes((schemas, paths, restricted(audience, methods))))
    }

    /// Adds a route that the document leaves out: pages, and requests of the console.
    pub(crate) fn add_undocumented(self, audience: Audience, path: &str, methods: MethodRouter<Arc<ApiState>>) -> Self {
        check(audience, path);
        Self(self.0.route(path, restricted(audience, methods)))
    }

    /// Adds the routes for keys with the scope `read`.
    pub(crate) fn read(self, routes: Documented) -> Self {
        self.add(Audience::Scoped(Scope::Read), routes)
    }

    /// Adds the routes for keys with the scope `generate`.
    pub(crate) fn generate(self, routes: Documented) -> Self {
        self.add(Audience::Scoped(Scope::Generate), routes)
    }

    /// Adds the routes for everybody.
    pub(crate) fn anyone(self, routes: Documented) -> Self {
        self.add(Audience::Anyone, routes)
    }

    pub(crate) fn merge(self, other: Self) -> Self {
        Self(self.0.merge(other.0))
    }

    /// Adds routes under a path, without describing them once more.
    pub(crate) fn nest_undocumented(self, path: &str, other: Self) -> Self {
        let (router, document) = self.0.split_for_parts();
        Self(OpenApiRouter::with_openapi(document).merge(OpenApiRouter::from(router.nest(path, other.router()))))
    }

    pub(crate) fn router(self) -> Router<Arc<ApiState>> {
        self.0.split_for_parts().0
    }

    /// The part of the OpenAPI document that describes these routes.
    pub(crate) fn document(self) -> OpenApi {
        self.0.into_openapi()
    }
}

/// Panics if a path's key is not asked for, or asked for in vain.
fn check(audience: Audience, path: &str) {
    let needs_key = !matches!(audience, Audience::Anyone);
    assert_eq!(auth::asks_for_key(path), needs_key, "{path} is for {audience:?}, which its path contradicts");
}

fn restricted(audience: Audience, methods: MethodRouter<Arc<ApiState>>) -> MethodRouter<Arc<ApiState>> {
    match audience {
        Audience::Scoped(scope) => auth::needs(scope, methods),
        Audience::OfKind(kind) => auth::generates(kind, methods),
        Audience::Anyone => methods,
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;

    use super::*;

    #[test]
    #[should_panic(expected = "which its path contradicts")]
    fn a_route_for_keys_outside_the_paths_that_ask_for_one_does_not_start() {
        Routes::new().add_undocumented(Audience::Scoped(Scope::Read), "/things", get(async || "things"));
    }

    #[test]
    #[should_panic(expected = "which its path contradicts")]
    fn a_route_for_anyone_on_a_path_that_asks_for_a_key_does_not_start() {
        Routes::new().add_undocumented(Audience::Anyone, "/v1/things", get(async || "things"));
    }
}
