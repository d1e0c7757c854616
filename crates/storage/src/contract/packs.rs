//! Published packs.

use aerie_domain::ContentHash;

use super::fixture::{Fixture, output};
use crate::{PackRefusal, StoreError};

fn id(number: u8) -> ContentHash {
    ContentHash::new([number; 32])
}

/// Adds and publishes a pack.
async fn publish(f: &Fixture, number: u8) {
    f.store.pack_add(id(number), "manifest").await.unwrap().unwrap();
    f.store.pack_publish(id(number)).await.unwrap().unwrap();
}

async fn current(f: &Fixture) -> Option<ContentHash> {
    f.store.pack_current().await.unwrap()
}

pub(super) async fn a_pack_is_used_once_its_files_are_stored_and_until_another_is_published(f: Fixture) {
    assert_eq!((current(&f).await, f.store.pack_list().await.unwrap().len()), (None, 0));
    f.store.pack_add(id(1), "{\"é\": 1}").await.unwrap().unwrap();
    let added = f.now();
    assert_eq!(current(&f).await, None, "an interrupted upload names nothing");
    f.advance(1);
    assert_eq!(f.store.pack_use(Some(id(1))).await.unwrap(), Err(PackRefusal::Incomplete));
    // Again, after an interruption.
    f.store.pack_add(id(1), "{\"é\": 1}").await.unwrap().unwrap();
    f.store.pack_publish(id(1)).await.unwrap().unwrap();
    let published = f.now();
    assert_eq!(current(&f).await, Some(id(1)));
    f.advance(1);
    publish(&f, 2).await;
    assert_eq!(current(&f).await, Some(id(2)));
    let [second, first] = &f.store.pack_list().await.unwrap()[..] else { panic!("two packs") };
    assert_eq!((first.id, first.manifest.as_str(), first.created_at), (id(1), "{\"é\": 1}", added));
    assert_eq!((first.published_at, first.current_since), (Some(published), None));
    assert_eq!((second.published_at, second.current_since, second.is_removed), (Some(f.now()), Some(f.now()), false));
    // What is published already becomes the current one, and keeps its time.
    f.advance(1);
    publish(&f, 1).await;
    assert_eq!(current(&f).await, Some(id(1)));
    assert_eq!(f.store.pack_list().await.unwrap()[1].published_at, Some(published));
}

pub(super) async fn workers_can_go_back_to_an_earlier_pack_and_to_none(f: Fixture) {
    publish(&f, 1).await;
    publish(&f, 2).await;
    f.store.pack_use(Some(id(1))).await.unwrap().unwrap();
    assert_eq!(current(&f).await, Some(id(1)));
    assert_eq!(f.store.pack_use(Some(id(3))).await.unwrap(), Err(PackRefusal::NotFound));
    assert_eq!(f.store.pack_publish(id(3)).await.unwrap(), Err(PackRefusal::NotFound));
    assert_eq!(current(&f).await, Some(id(1)), "a refusal changes nothing");
    f.store.pack_use(None).await.unwrap().unwrap();
    assert_eq!(current(&f).await, None);
    f.store.pack_use(None).await.unwrap().unwrap();
}

pub(super) async fn only_an_unused_pack_is_removed_and_nothing_is_added_meanwhile(f: Fixture) {
    publish(&f, 1).await;
    publish(&f, 2).await;
    assert_eq!(f.store.pack_remove(id(2)).await.unwrap(), Err(PackRefusal::Current));
    assert_eq!(f.store.pack_remove(id(3)).await.unwrap(), Err(PackRefusal::NotFound));
    f.store.pack_forget(id(1)).await.unwrap();
    assert_eq!(f.store.pack_list().await.unwrap().len(), 2, "only what is being removed is forgotten");
    f.store.pack_remove(id(1)).await.unwrap().unwrap();
    assert!(f.store.pack_list().await.unwrap().iter().any(|pack| pack.id == id(1) && pack.is_removed));
    let removing = Err(PackRefusal::Removing(id(1)));
    assert_eq!(f.store.pack_use(Some(id(1))).await.unwrap(), removing);
    assert_eq!(f.store.pack_publish(id(1)).await.unwrap(), removing);
    assert_eq!(f.store.pack_add(id(1), "manifest").await.unwrap(), removing);
    assert_eq!(f.store.pack_add(id(3), "manifest").await.unwrap(), removing, "it may share files");
    // Again, after an interruption.
    f.store.pack_remove(id(1)).await.unwrap().unwrap();
    f.store.pack_forget(id(1)).await.unwrap();
    f.store.pack_forget(id(1)).await.unwrap();
    assert_eq!(f.store.pack_list().await.unwrap().len(), 1);
    publish(&f, 3).await;
}

pub(super) async fn of_concurrent_changes_one_pack_is_the_current_one(f: Fixture) {
    for number in 1..9 {
        publish(&f, number).await;
    }
    let changes = (1..9).map(|number| {
        let store = std::sync::Arc::clone(&f.store);
        tokio::spawn(async move { store.pack_use(Some(id(number))).await.unwrap() })
    });
    for change in changes.collect::<Vec<_>>() {
        change.await.unwrap().unwrap();
    }
    let used = f.store.pack_list().await.unwrap().into_iter().filter(|pack| pack.current_since.is_some());
    assert_eq!(used.map(|pack| Some(pack.id)).collect::<Vec<_>>(), [current(&f).await]);
}

pub(super) async fn a_job_has_the_pack_of_its_last_run_and_only_the_holder_of_the_lease_records_it(f: Fixture) {
    let job = f.submit().await;
    assert_eq!(job.pack, None);
    let first = f.claim("a").await.unwrap();
    f.store.job_pack_set(&first.lease, Some(id(1))).await.unwrap();
    assert_eq!(f.get(job.id).await.pack, Some(id(1)));
    f.store.job_release(&first.lease).await.unwrap();
    let second = f.claim("b").await.unwrap();
    assert_eq!(second.job.pack, Some(id(1)));
    let late = f.store.job_pack_set(&first.lease, Some(id(2))).await;
    assert!(matches!(late, Err(StoreError::LeaseLost)), "{late:?}");
    f.store.job_pack_set(&second.lease, None).await.unwrap();
    assert_eq!(f.get(job.id).await.pack, None);
    f.store.job_pack_set(&second.lease, Some(id(3))).await.unwrap();
    f.store.job_complete(&second.lease, output()).await.unwrap();
    let done = f.get(job.id).await;
    assert_eq!((done.pack, done.updated_at), (Some(id(3)), f.now()));
    let ended = f.store.job_pack_set(&second.lease, None).await;
    assert!(matches!(ended, Err(StoreError::LeaseLost)), "{ended:?}");
}
