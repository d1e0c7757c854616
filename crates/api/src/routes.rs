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

/// Routes of the service. None can be added without an audience, which decides whether requests need credentials.
pub(crate) struct Routes {
    /// For everybody.
    open: OpenApiRouter<Arc<ApiState>>,
    /// For callers with credentials.
    closed: OpenApiRouter<Arc<ApiState>>,
}

impl Routes {
    pub(crate) fn new() -> Self {
        Self { open: OpenApiRouter::new(), closed: OpenApiRouter::new() }
    }

    /// Adds routes that the document describes.
    pub(crate) fn add(self, audience: Audience, (schemas, paths, methods): Documented) -> Self {
        self.of(audience, methods, |routes, methods| routes.routes((schemas, paths, methods)))
    }

    /// Adds a route that the document leaves out: pages, and requests of the console.
    pub(crate) fn add_undocumented(self, audience: Audience, path: &str, methods: MethodRouter<Arc<ApiState>>) -> Self {
        self.of(audience, methods, |routes, methods| routes.route(path, methods))
    }

    fn of(
        self,
        audience: Audience,
        methods: MethodRouter<Arc<ApiState>>,
        add: impl FnOnce(OpenApiRouter<Arc<ApiState>>, MethodRouter<Arc<ApiState>>) -> OpenApiRouter<Arc<ApiState>>,
    ) -> Self {
        match audience {
            Audience::Anyone => Self { open: add(self.open, methods), ..self },
            Audience::Scoped(scope) => Self { closed: add(self.closed, auth::needs(scope, methods)), ..self },
            Audience::OfKind(kind) => Self { closed: add(self.closed, auth::generates(kind, methods)), ..self },
        }
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
        Self { open: self.open.merge(other.open), closed: self.closed.merge(other.closed) }
    }

    /// Adds routes under a path, without describing them once more.
    pub(crate) fn nest_undocumented(self, path: &str, other: Self) -> Self {
        let nested = |own: OpenApiRouter<Arc<ApiState>>, other: OpenApiRouter<Arc<ApiState>>| {
            own.merge(OpenApiRouter::from(Router::new().nest(path, other.split_for_parts().0)))
        };
        Self { open: nested(self.open, other.open), closed: nested(self.closed, other.closed) }
    }

    /// The routers of the routes for everybody, and of those for callers with credentials.
    pub(crate) fn into_routers(self) -> (Router<Arc<ApiState>>, Router<Arc<ApiState>>) {
        (self.open.split_for_parts().0, self.closed.split_for_parts().0)
    }

    /// The part of the OpenAPI document that describes these routes.
    pub(crate) fn document(self) -> OpenApi {
        self.closed.merge(self.open).into_openapi()
    }
}
