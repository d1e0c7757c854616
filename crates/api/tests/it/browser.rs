//! Browsers with a session of one of the consoles.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Answer, Service};

/// A browser with a session.
pub(crate) struct Browser {
    pub(crate) service: Service,
    /// `name=value`.
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

/// Signs in with a key; extra headers are those of the request.
pub(crate) async fn sign_in(service: &Service, session: &str, key: &str, headers: &[(&str, &str)]) -> Answer {
    let request = Request::post(session).header("Content-Type", "application/json");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    service.send(request.body(Body::from(json!({"key": key}).to_string())).unwrap()).await
}

pub(crate) fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

impl Browser {
    /// Signs in at the path of a console's session.
    pub(crate) async fn at(service: &Service, session: &str, key: &str) -> Self {
        let answer = sign_in(service, session, key, &[]).await;
        assert_eq!(answer.status, 201, "{}", answer.json());
        let csrf = answer.json()["data"]["csrf_token"].as_str().unwrap().to_owned();
        Self { service: service.clone(), cookie: cookie_of(&answer), csrf }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let request = Request::get(path).header("Cookie", &self.cookie);
        self.service.send(request.body(Body::empty()).unwrap()).await
    }

    /// Sends JSON with the proof of the page.
    pub(crate) async fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.send_with(method, path, body, &self.csrf).await
    }

    pub(crate) async fn send_with(&self, method: &str, path: &str, body: &Value, csrf: &str) -> Answer {
        let request = Request::builder().method(method).uri(path).header("Cookie", &self.cookie);
        let request = request.header("Content-Type", "application/json").header("X-CSRF-Token", csrf);
        self.service.send(request.body(Body::from(body.to_string())).unwrap()).await
    }
}
