//! Share links of listings, and what their viewers say.

use aerie_domain::{
    Decision, ListingId, ListingRequest, OrgId, Review, ReviewContent, ReviewId, ReviewIds, ShareLink, ShareLinkId,
    SharePermissions, ShareStatus, ShareToken,
};
use std::time::Duration;

use super::fixture::Fixture;
use crate::{
    EventPosition, EventSubject, NewListing, NewReview, NewShareLink, ReviewFilter, ReviewPage, ReviewRefusal,
    ShareLinkRefusal,
};

const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);
const HOUR: i64 = 3_600_000;

impl Fixture {
    async fn shared_listing(&self) -> ListingId {
        let new = NewListing { id: ListingId::new(self.now()), org_id: self.org, request: ListingRequest::default() };
        self.store.listing_create(new, 100).await.unwrap().unwrap().id
    }

    fn new_link(&self, listing_id: ListingId) -> (NewShareLink, ShareToken) {
        let token = ShareToken::generate().unwrap();
        let new = NewShareLink {
            id: ShareLinkId::new(self.now()),
            org_id: self.org,
            listing_id,
            token: token.hash(),
            name: Some("The sellers".into()),
            permissions: SharePermissions { show_address: true, allow_approval: false, allow_comments: true },
            lifetime: HOUR,
        };
        (new, token)
    }

    async fn link(&self, listing: ListingId) -> ShareLink {
        self.store.share_link_create(self.new_link(listing).0, 100).await.unwrap().unwrap()
    }

    fn new_review(&self, link: &ShareLink, photo: Option<&str>, content: ReviewContent) -> NewReview {
        NewReview {
            id: ReviewId::new(self.now()),
            share_link_id: link.id,
            photo_id: photo.map(str::to_owned),
            content,
            name: Some("Maria".into()),
        }
    }

    async fn comment(&self, link: &ShareLink, text: &str) -> Result<Review, ReviewRefusal> {
        let new = self.new_review(link, None, ReviewContent::Comment(text.into()));
        self.store.review_add(new, 3).await.unwrap()
    }

    async fn decide(&self, link: &ShareLink, photo: &str, decision: Decision) -> Result<Review, ReviewRefusal> {
        let new = self.new_review(link, Some(photo), ReviewContent::Decision(decision));
        self.store.review_add(new, 3).await.unwrap()
    }

    async fn reviews(&self, listing_id: ListingId, share_link_id: Option<ShareLinkId>) -> ReviewPage {
        let filter = ReviewFilter { org_id: self.org, listing_id, share_link_id, limit: 10, offset: 0 };
        self.store.review_list(filter).await.unwrap()
    }

    async fn links(&self, listing: ListingId) -> Vec<ShareLink> {
        self.store.share_link_list(self.org, listing).await.unwrap()
    }
}

pub(super) async fn a_link_is_found_by_its_token_until_its_listing_is_deleted(f: Fixture) {
    let listing = f.shared_listing().await;
    let (new, token) = f.new_link(listing);
    let created = f.store.share_link_create(new.clone(), 100).await.unwrap().unwrap();
    let expires_at = f.now() + jiff::SignedDuration::from_millis(HOUR);
    let expected = ShareLink {
        id: new.id,
        org_id: f.org,
        listing_id: listing,
        name: new.name,
        permissions: new.permissions,
        status: ShareStatus::Active,
        created_at: f.now(),
        expires_at,
        revoked_at: None,
    };
    assert_eq!(created, expected);
    assert_eq!(f.store.share_link_find(token.hash()).await.unwrap(), Some(created.clone()));
    let other = ShareToken::generate().unwrap();
    assert_eq!(f.store.share_link_find(other.hash()).await.unwrap(), None);
    f.comment(&created, "a").await.unwrap();
    assert!(f.store.listing_delete(f.org, listing, WEEK).await.unwrap());
    assert_eq!(f.store.share_link_find(token.hash()).await.unwrap(), None);
    assert_eq!((f.links(listing).await, f.reviews(listing, None).await.total), (Vec::new(), 0));
    let (new, _) = f.new_link(listing);
    assert_eq!(f.store.share_link_create(new, 100).await.unwrap(), Err(ShareLinkRefusal::ListingNotFound));
    assert_eq!(f.comment(&created, "b").await, Err(ReviewRefusal::Gone));
}

pub(super) async fn an_expired_or_revoked_link_is_still_found_and_takes_no_reviews(f: Fixture) {
    let listing = f.shared_listing().await;
    let (new, token) = f.new_link(listing);
    let link = f.store.share_link_create(new, 100).await.unwrap().unwrap();
    let revoked = f.link(listing).await;
    f.decide(&revoked, "a", Decision::Approved).await.unwrap();
    let status = async |f: &Fixture| f.store.share_link_find(token.hash()).await.unwrap().unwrap().status;
    f.advance(3599);
    assert_eq!(status(&f).await, ShareStatus::Active);
    assert!(f.store.share_link_revoke(f.org, listing, revoked.id).await.unwrap());
    let at = f.now();
    f.advance(1);
    assert!(f.store.share_link_revoke(f.org, listing, revoked.id).await.unwrap());
    assert_eq!(status(&f).await, ShareStatus::Expired);
    let found = f.links(listing).await;
    let statuses: Vec<_> = found.iter().map(|link| (link.id, link.status, link.revoked_at)).collect();
    assert_eq!(statuses, [(revoked.id, ShareStatus::Revoked, Some(at)), (link.id, ShareStatus::Expired, None)]);
    for link in [&link, &revoked] {
        assert_eq!(f.comment(link, "a").await, Err(ReviewRefusal::Gone));
        assert_eq!(f.decide(link, "a", Decision::Rejected).await, Err(ReviewRefusal::Gone));
    }
    assert_eq!(f.reviews(listing, None).await.total, 1, "what was said before is kept");
}

pub(super) async fn another_organizations_links_and_reviews_are_not_found(f: Fixture) {
    let listing = f.shared_listing().await;
    let link = f.link(listing).await;
    f.comment(&link, "a").await.unwrap();
    let other: OrgId = f.store.org_create("Other", "starter").await.unwrap().id;
    assert_eq!(f.store.share_link_list(other, listing).await.unwrap(), []);
    assert!(!f.store.share_link_revoke(other, listing, link.id).await.unwrap());
    let elsewhere = f.shared_listing().await;
    assert!(!f.store.share_link_revoke(f.org, elsewhere, link.id).await.unwrap());
    let new = NewShareLink { org_id: other, ..f.new_link(listing).0 };
    assert_eq!(f.store.share_link_create(new, 100).await.unwrap(), Err(ShareLinkRefusal::ListingNotFound));
    let filter = ReviewFilter { org_id: other, listing_id: listing, share_link_id: None, limit: 10, offset: 0 };
    assert_eq!(f.store.review_list(filter).await.unwrap().total, 0);
    assert_eq!(f.links(listing).await, [link]);
}

pub(super) async fn of_too_many_links_those_that_work_are_kept(f: Fixture) {
    let listing = f.shared_listing().await;
    let create = async || f.store.share_link_create(f.new_link(listing).0, 2).await.unwrap();
    let (first, second) = (create().await.unwrap(), create().await.unwrap());
    assert_eq!(create().await, Err(ShareLinkRefusal::TooMany { limit: 2 }));
    f.comment(&second, "a").await.unwrap();
    f.store.share_link_revoke(f.org, listing, second.id).await.unwrap();
    let third = create().await.unwrap();
    let ids: Vec<_> = f.links(listing).await.into_iter().map(|link| link.id).collect();
    assert_eq!(ids, [third.id, first.id]);
    assert_eq!(f.reviews(listing, None).await.total, 0, "reviews are removed with their link");
}

pub(super) async fn a_decision_replaces_the_last_one_on_the_photo_and_comments_are_limited(f: Fixture) {
    let listing = f.shared_listing().await;
    let (link, other) = (f.link(listing).await, f.link(listing).await);
    for decision in [Decision::Approved, Decision::Rejected] {
        f.advance(1);
        let added = f.decide(&link, "a", decision).await.unwrap();
        assert_eq!((added.created_at, added.name.as_deref()), (f.now(), Some("Maria")));
    }
    f.decide(&other, "a", Decision::Approved).await.unwrap();
    f.advance(1);
    let said = f.comment(&link, "a\nb").await.unwrap();
    assert_eq!(f.reviews(listing, Some(link.id)).await.reviews[0], said);
    let page = f.reviews(listing, Some(link.id)).await;
    let decision = &page.reviews[1];
    assert_eq!((page.total, decision.photo_id.as_deref()), (2, Some("a")));
    assert_eq!(decision.content, ReviewContent::Decision(Decision::Rejected));
    assert_eq!(f.reviews(listing, None).await.total, 3);
    let filter = ReviewFilter { org_id: f.org, listing_id: listing, share_link_id: None, limit: 1, offset: 2 };
    let oldest = f.store.review_list(filter).await.unwrap();
    assert_eq!((oldest.total, &oldest.reviews[0].id), (3, &decision.id));
    f.comment(&link, "c").await.unwrap();
    assert_eq!(f.comment(&link, "d").await, Err(ReviewRefusal::TooMany { limit: 3 }));
    assert_eq!(f.decide(&link, "b", Decision::Approved).await, Err(ReviewRefusal::TooMany { limit: 3 }));
    f.decide(&link, "a", Decision::Approved).await.unwrap();
    f.comment(&other, "d").await.unwrap();
}

pub(super) async fn of_concurrent_reviews_no_more_are_added_than_the_limit(f: Fixture) {
    let listing = f.shared_listing().await;
    let link = f.link(listing).await;
    let all = futures_util::future::join_all((0..10).map(|_| f.comment(&link, "a"))).await;
    assert_eq!(all.iter().filter(|added| added.is_ok()).count(), 3);
    assert_eq!(f.reviews(listing, None).await.total, 3);
}

pub(super) async fn each_review_is_an_event_that_names_it_and_is_sent_to_those_who_want_it(f: Fixture) {
    let start = EventPosition { at: 0, transaction: 0, number: 0 };
    let hook = f.webhook(&["listing.reviewed"]).await.id;
    f.webhook(&["job.completed"]).await;
    let listing = f.shared_listing().await;
    let link = f.link(listing).await;
    f.advance(5);
    let job = f.submit().await.id;
    let reviews = [
        f.decide(&link, "front", Decision::Approved).await.unwrap(),
        f.comment(&link, "Nice").await.unwrap(),
        f.decide(&link, "front", Decision::Rejected).await.unwrap(),
    ];
    let ids = reviews.map(|review| ReviewIds {
        listing_id: listing,
        share_link_id: link.id,
        review_id: review.id,
        photo_id: review.photo_id,
    });
    let events = f.events(start, 4).await;
    assert!(matches!(events[0].subject, EventSubject::Job(id, ..) if id == job), "{events:?}");
    let subjects: Vec<_> = events[1..].iter().map(|event| event.subject.clone()).collect();
    assert_eq!(subjects, ids.clone().map(EventSubject::Review));
    assert!(events.iter().all(|event| event.at() == f.now()), "{events:?}");
    for (number, event) in events.iter().enumerate() {
        assert_eq!(
            f.events(event.position, 3 - number).await,
            events[number + 1..],
            "a client continues after any of them"
        );
    }
    let mut sent: Vec<_> = f.due().await.into_iter().map(|due| due.delivery).collect();
    sent.sort_by_key(|delivery| delivery.review.as_ref().map(|review| review.review_id));
    assert_eq!(sent.iter().map(|delivery| delivery.review.clone().unwrap()).collect::<Vec<_>>(), ids);
    assert!(
        sent.iter().all(|it| it.webhook_id == hook && it.event == "listing.reviewed" && it.job.is_none()),
        "{sent:?}"
    );
    // A review that is refused is none.
    f.comment(&link, "Two").await.unwrap();
    assert!(f.comment(&link, "Three").await.is_err());
    f.events(start, 5).await;
    // They are kept as long as those of jobs.
    f.advance(60);
    assert_eq!(f.store.event_expire(Duration::from_secs(60), 100).await.unwrap(), 0);
    f.advance(1);
    assert_eq!(f.store.event_expire(Duration::from_secs(60), 4).await.unwrap(), 4);
    assert_eq!(f.store.event_expire(Duration::from_secs(60), 4).await.unwrap(), 1);
    f.events(start, 0).await;
}
