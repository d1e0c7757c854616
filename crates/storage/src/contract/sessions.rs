//! Sessions of the console.

use std::time::Duration;

use aerie_domain::{ApiKey, KeyHash, OperatorKey, Scopes, SessionHash, SessionToken};

use super::fixture::Fixture;
use crate::{Audience, SessionLimits};

const CLIENTS: Audience = Audience::Clients;
const LIMITS: SessionLimits = SessionLimits { idle: Duration::from_secs(100), longest: Duration::from_secs(250) };

async fn key(f: &Fixture) -> KeyHash {
    let key = ApiKey::generate().unwrap();
    f.store.key_create(f.org, &key, Scopes::ALL, None).await.unwrap();
    key.hash()
}

async fn start(f: &Fixture, key: KeyHash) -> SessionHash {
    let id = SessionToken::generate().unwrap().hash();
    f.store.session_start(CLIENTS, id, key, LIMITS).await.unwrap();
    id
}

pub(super) async fn a_session_is_found_with_its_key_until_it_is_ended(f: Fixture) {
    let (one_key, other_key) = (key(&f).await, key(&f).await);
    let (one, other) = (start(&f, one_key).await, start(&f, other_key).await);
    f.advance(30);
    let found = f.store.session_find(CLIENTS, one, LIMITS).await.unwrap().unwrap();
    assert_eq!((found.key, found.idle), (one_key, Duration::from_secs(30)));
    assert!(f.store.session_end(CLIENTS, one).await.unwrap());
    assert_eq!(f.store.session_find(CLIENTS, one, LIMITS).await.unwrap(), None);
    assert!(!f.store.session_end(CLIENTS, one).await.unwrap());
    // Does not bring it back.
    f.store.session_touch(CLIENTS, one).await.unwrap();
    assert_eq!(f.store.session_find(CLIENTS, one, LIMITS).await.unwrap(), None);
    assert_eq!(f.store.session_find(CLIENTS, other, LIMITS).await.unwrap().unwrap().key, other_key);
}

pub(super) async fn a_session_is_over_when_it_was_not_used_for_long_and_in_any_case_after_a_while(f: Fixture) {
    let key = key(&f).await;
    let (used, unused) = (start(&f, key).await, start(&f, key).await);
    f.advance(99);
    assert!(f.store.session_find(CLIENTS, unused, LIMITS).await.unwrap().is_some(), "to look is not to use");
    f.store.session_touch(CLIENTS, used).await.unwrap();
    f.advance(1);
    assert_eq!(f.store.session_find(CLIENTS, unused, LIMITS).await.unwrap(), None);
    assert_eq!(f.store.session_find(CLIENTS, used, LIMITS).await.unwrap().unwrap().idle, Duration::from_secs(1));
    f.advance(98);
    f.store.session_touch(CLIENTS, used).await.unwrap();
    f.advance(51);
    assert!(f.store.session_find(CLIENTS, used, LIMITS).await.unwrap().is_some());
    f.advance(1);
    assert_eq!(f.store.session_find(CLIENTS, used, LIMITS).await.unwrap(), None);
}

pub(super) async fn a_session_with_an_unknown_key_is_refused(f: Fixture) {
    let id = SessionToken::generate().unwrap().hash();
    let unknown = ApiKey::generate().unwrap().hash();
    assert!(f.store.session_start(CLIENTS, id, unknown, LIMITS).await.is_err());
    assert_eq!(f.store.session_find(CLIENTS, id, LIMITS).await.unwrap(), None);
}

pub(super) async fn sessions_that_are_over_are_removed_when_others_start(f: Fixture) {
    let key = key(&f).await;
    let old = start(&f, key).await;
    f.advance(60);
    let young = start(&f, key).await;
    f.advance(60);
    start(&f, key).await;
    assert!(!f.store.session_end(CLIENTS, old).await.unwrap());
    assert!(f.store.session_end(CLIENTS, young).await.unwrap());
}

pub(super) async fn sessions_of_operators_are_unknown_among_those_of_clients(f: Fixture) {
    let operator = OperatorKey::generate().unwrap();
    f.store.operator_key_create(&operator, "Ops", None).await.unwrap();
    let (client, id) = (key(&f).await, SessionToken::generate().unwrap().hash());
    assert!(f.store.session_start(CLIENTS, id, operator.hash(), LIMITS).await.is_err());
    assert!(f.store.session_start(Audience::Operators, id, client, LIMITS).await.is_err());
    f.store.session_start(Audience::Operators, id, operator.hash(), LIMITS).await.unwrap();
    assert_eq!(f.store.session_find(CLIENTS, id, LIMITS).await.unwrap(), None);
    assert!(!f.store.session_end(CLIENTS, id).await.unwrap());
    f.advance(30);
    f.store.session_touch(CLIENTS, id).await.unwrap();
    let found = f.store.session_find(Audience::Operators, id, LIMITS).await.unwrap().unwrap();
    assert_eq!((found.key, found.idle), (operator.hash(), Duration::from_secs(30)));
    f.store.session_touch(Audience::Operators, id).await.unwrap();
    let found = f.store.session_find(Audience::Operators, id, LIMITS).await.unwrap().unwrap();
    assert_eq!(found.idle, Duration::ZERO);
    let theirs = start(&f, client).await;
    assert_eq!(f.store.session_find(Audience::Operators, theirs, LIMITS).await.unwrap(), None);
    assert!(f.store.session_end(Audience::Operators, id).await.unwrap());
    assert_eq!(f.store.session_find(Audience::Operators, id, LIMITS).await.unwrap(), None);
}
