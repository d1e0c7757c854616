//! What the endpoints of the console have in common.

use aerie_domain::{ApiKey, Scope, Scopes, SessionToken};
use aerie_storage::Credentials;
use serde::Serialize;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::iso;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;

/// A session as the console shows it.
#[derive(Debug, Serialize)]
pub(crate) struct SessionView {
    /// What requests that change something send as `X-CSRF-Token`.
    csrf_token: String,
    organization: OrganizationView,
    key: KeyView,
    limits: LimitsView,
    /// Version of the service.
    version: &'static str,
}

/// The organization of the session's key.
#[derive(Debug, Serialize)]
struct OrganizationView {
    id: String,
    name: String,
    plan: String,
    /// Kinds of job that it does not have.
    disabled: Vec<&'static str>,
    /// Jobs a month; `null` without a limit.
    monthly_quota: Option<u32>,
    /// Jobs that count against it in this month.
    quota_used: u64,
    /// Bytes that it has uploaded in this month.
    uploaded_bytes: u64,
}

/// A key, without what it is.
#[derive(Debug, Serialize)]
pub(crate) struct KeyView {
    id: String,
    /// Its first characters.
    hint: String,
    scopes: Vec<&'static str>,
    created_at: String,
    expires_at: Option<String>,
    revoked_at: Option<String>,
    /// Whether the session was started with it.
    is_current: bool,
}

/// A key with its text, which is shown only once.
#[derive(Debug, Serialize)]
pub(crate) struct KeyWithSecret {
    #[serde(flatten)]
    view: KeyView,
    key: String,
}

/// Limits of the plan.
#[derive(Debug, Serialize)]
struct LimitsView {
    requests_per_minute: u32,
    requests_per_day: u32,
    uploads_per_minute: u32,
    upload_bytes_per_month: Option<u64>,
}

impl SessionView {
    pub(crate) async fn of(
        state: &ApiState,
        token: &SessionToken,
        credentials: &Credentials,
    ) -> Result<Self, ApiError> {
        let (org, now) = (&credentials.org, state.clock.now());
        let plan = state.plans.limits(&org.plan);
        Ok(Self {
            csrf_token: token.csrf(),
            organization: OrganizationView {
                id: org.id.to_string(),
                name: org.name.clone(),
                plan: org.plan.clone(),
                disabled: org.disabled.iter().map(|kind| kind.as_str()).collect(),
                monthly_quota: org.monthly_quota,
                quota_used: state.store.quota_used(org.id, now).await?,
                uploaded_bytes: state.store.upload_bytes_used(org.id, now).await?,
            },
            key: KeyView::of(&credentials.key, true),
            limits: LimitsView {
                requests_per_minute: plan.rates.per_minute,
                requests_per_day: plan.rates.per_day,
                uploads_per_minute: plan.uploads.rates.per_minute,
                upload_bytes_per_month: plan.uploads.bytes_per_month,
            },
            version: env!("CARGO_PKG_VERSION"),
        })
    }
}

impl KeyView {
    pub(crate) fn of(key: &aerie_domain::KeyRecord, is_current: bool) -> Self {
        Self {
            id: key.id.to_string(),
            hint: key.hint.clone(),
            scopes: Scope::ALL.into_iter().filter(|scope| key.scopes.allow(*scope)).map(Scope::as_str).collect(),
            created_at: iso(key.created_at),
            expires_at: key.expires_at.map(iso),
            revoked_at: key.revoked_at.map(iso),
            is_current,
        }
    }
}

impl KeyWithSecret {
    pub(crate) fn of(record: &aerie_domain::KeyRecord, key: &ApiKey) -> Self {
        Self { view: KeyView::of(record, false), key: key.reveal().to_owned() }
    }
}

/// Refuses a session that may not create and revoke keys: one whose key lacks a scope would give itself what it lacks, or take from
/// others what it cannot do.
pub(crate) fn check_manages_keys(caller: &Caller) -> Result<(), ApiError> {
    let scopes = caller.credentials.key.scopes;
    if scopes == Scopes::ALL {
        return Ok(());
    }
    let message = format!(
        "Keys are created and revoked in sessions whose key has the scopes {}; the key of this one has {scopes}: sign in with another",
        Scopes::ALL
    );
    Err(ApiError::with_message(ApiErrorCode::Forbidden, message))
}
