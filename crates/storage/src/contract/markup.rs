//! The steps of markups.

use aerie_domain::{Job, JobId, JobStatus, JobType, MarkupRefusal};
use serde_json::json;

use super::fixture::{Fixture, LEASE, failure, output, request};
use crate::{Annotation, JobOutput, NewJob, StoreError};

async fn submit_markup(f: &Fixture) -> Job {
    let input = request(JobType::Markup, &json!({}));
    f.store.job_submit(NewJob { input, ..f.new_job() }).await.unwrap().unwrap()
}

/// A markup that awaits input, with one variant.
async fn awaiting(f: &Fixture) -> Job {
    let job = submit_markup(f).await;
    let claim = f.store.job_claim(&[JobType::Markup], "a", LEASE).await.unwrap().unwrap();
    let mut output = JobOutput::default();
    output.fields.insert("orientation_variants".into(), json!([{"key": "left"}]));
    output.media.insert("/orientation_variants/0/enhanced_url".into(), "o/j/1/left.png".into());
    f.store.job_ask_input(&claim.lease, output).await.unwrap();
    f.get(job.id).await
}

fn annotation() -> Annotation {
    Annotation { body: json!({"clean_image_url": "c"}), output: JobOutput::default() }
}

pub(super) async fn a_markup_that_asks_for_input_is_billed_once_and_not_claimed_again(f: Fixture) {
    let job = awaiting(&f).await;
    assert_eq!((job.status, job.completed_at), (JobStatus::AwaitingInput, None));
    f.advance(3600);
    assert!(f.store.job_claim(&JobType::ALL, "b", LEASE).await.unwrap().is_none());
    let selected = f.store.markup_select(f.org, job.id, "left").await.unwrap().unwrap();
    assert_eq!(selected.media["/selected_url"], "o/j/1/left.png");
    let completed = f.store.markup_annotate(f.org, job.id, annotation()).await.unwrap().unwrap();
    assert_eq!((completed.status, completed.completed_at), (JobStatus::Completed, Some(f.now())));
    assert_eq!(completed, f.get(job.id).await);
    assert_eq!(f.usage().await.len(), 1);
}

pub(super) async fn a_lost_lease_cannot_ask_for_input(f: Fixture) {
    submit_markup(&f).await;
    let lost = f.store.job_claim(&[JobType::Markup], "a", LEASE).await.unwrap().unwrap();
    f.advance(16);
    f.store.job_claim(&[JobType::Markup], "b", LEASE).await.unwrap().unwrap();
    let refused = f.store.job_ask_input(&lost.lease, output()).await;
    assert!(matches!(refused, Err(StoreError::LeaseLost)));
    assert!(f.usage().await.is_empty());
}

pub(super) async fn markup_steps_find_only_the_organizations_own_markups(f: Fixture) {
    let (markup, film) = (awaiting(&f).await, f.submit().await);
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    for (org, id) in [(other, markup.id), (f.org, film.id), (f.org, JobId::new(f.now()))] {
        assert_eq!(f.store.markup_select(org, id, "left").await.unwrap(), None);
        assert_eq!(f.store.markup_annotate(org, id, annotation()).await.unwrap(), None);
    }
    assert_eq!(f.get(markup.id).await, markup);
}

pub(super) async fn a_second_video_of_a_markup_is_refused_while_the_first_is_active(f: Fixture) {
    let parent_id = Some(awaiting(&f).await.id);
    let input = request(JobType::MarkupVideo, &json!({}));
    let video = || NewJob { input: input.clone(), parent_id, ..f.new_job() };
    f.store.job_submit(video()).await.unwrap().unwrap();
    let refused = f.store.job_submit(video()).await;
    assert!(matches!(refused, Err(StoreError::MarkupRefused(MarkupRefusal::VideoInProgress))));
    let claim = f.store.job_claim(&[JobType::MarkupVideo], "a", LEASE).await.unwrap().unwrap();
    assert!(f.store.job_submit(video()).await.is_err());
    f.store.job_fail(&claim.lease, failure()).await.unwrap();
    f.store.job_submit(video()).await.unwrap().unwrap();
}
