//! Keys of operators.

use aerie_domain::{ApiKey, OperatorKey, OperatorKeyId, Scopes};
use jiff::SignedDuration;

use super::fixture::Fixture;

pub(super) async fn an_operator_key_is_found_by_its_hash_until_it_is_revoked(f: Fixture) {
    let [first, second] = [(); 2].map(|()| OperatorKey::generate().unwrap());
    let record = f.store.operator_key_create(&first, "Ada", None).await.unwrap();
    assert_eq!((record.name.as_str(), record.created_at), ("Ada", f.now()));
    assert_eq!(record.hint, first.hint());
    assert_eq!(f.store.operator_key_find(first.hash()).await.unwrap(), Some(record.clone()));
    assert_eq!(f.store.operator_key_find(second.hash()).await.unwrap(), None);
    f.advance(1);
    f.store.operator_key_create(&second, "Bo", None).await.unwrap();
    assert!(f.store.operator_key_revoke(record.id).await.unwrap());
    let revoked_at = f.now();
    assert_eq!(f.store.operator_key_find(first.hash()).await.unwrap(), None);
    assert!(f.store.operator_key_find(second.hash()).await.unwrap().is_some());
    f.advance(5);
    assert!(f.store.operator_key_revoke(record.id).await.unwrap());
    assert!(!f.store.operator_key_revoke(OperatorKeyId::new(f.now())).await.unwrap());
    let listed = f.store.operator_key_list().await.unwrap();
    let names: Vec<_> = listed.iter().map(|key| (key.name.as_str(), key.revoked_at)).collect();
    assert_eq!(names, [("Ada", Some(revoked_at)), ("Bo", None)]);
}

pub(super) async fn an_operator_key_is_valid_until_the_moment_it_expires(f: Fixture) {
    let key = OperatorKey::generate().unwrap();
    let at = f.now() + SignedDuration::from_secs(10);
    f.store.operator_key_create(&key, "Ada", Some(at)).await.unwrap();
    f.advance(9);
    assert_eq!(f.store.operator_key_find(key.hash()).await.unwrap().unwrap().expires_at, Some(at));
    f.advance(1);
    assert_eq!(f.store.operator_key_find(key.hash()).await.unwrap(), None);
}

pub(super) async fn an_operator_key_is_no_api_key_and_the_other_way_round(f: Fixture) {
    let (operator, api) = (OperatorKey::generate().unwrap(), ApiKey::generate().unwrap());
    f.store.operator_key_create(&operator, "Ada", None).await.unwrap();
    f.store.key_create(f.org, &api, Scopes::ALL, None).await.unwrap();
    assert!(f.store.key_find(operator.hash()).await.unwrap().is_none());
    assert!(f.store.operator_key_find(api.hash()).await.unwrap().is_none());
}
