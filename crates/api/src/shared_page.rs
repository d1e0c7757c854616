//! The web page of a share link. It has no scripts: decisions and comments are forms.

use std::sync::LazyLock;

use aerie_domain::Decision;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::Delivery;
use crate::shared_listing::{SharedComment, SharedListing, SharedMedia, SharedPhoto};

const STYLE: &str = include_str!("shared_page.css");

/// The `Content-Security-Policy` of the page: nothing but its own style, its media and its forms. Its icon is an empty `data:`.
pub(crate) fn policy(delivery: Delivery) -> &'static str {
    // A bucket may be at any address; the signed link that leads there is ours.
    static PROXY: LazyLock<String> = LazyLock::new(|| policy_of("'self'"));
    static REDIRECT: LazyLock<String> = LazyLock::new(|| policy_of("'self' https: http:"));
    match delivery {
        Delivery::Proxy => &PROXY,
        Delivery::Redirect => &REDIRECT,
    }
}

fn policy_of(media: &str) -> String {
    let style = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src {media} data:; media-src {media}; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The page of a listing. Paths of its forms begin with `forms`; `problem`: why what was posted is refused.
pub(crate) fn page(listing: &SharedListing, forms: &str, problem: Option<&str>) -> String {
    let name = listing.address.as_deref().unwrap_or("Photos to review");
    let has_photo = |id: &String| listing.photos.iter().any(|photo| photo.photo_id == *id);
    let is_general = |comment: &&SharedComment| !comment.photo_id.as_ref().is_some_and(has_photo);
    let comments: Vec<_> = listing.comments.iter().filter(is_general).collect();
    let body = html! {
        header { h1 { (name) } p { (summary(listing)) } }
        main {
            @if let Some(problem) = problem { p.problem role="alert" { (problem) } }
            @for (at, photo) in listing.photos.iter().enumerate() { (photo_section(listing, at, photo, forms)) }
            @if !listing.videos.is_empty() {
                section aria-labelledby="videos" {
                    h2 #videos { "Videos" }
                    @for video in &listing.videos { (figure(video, "The property")) }
                }
            }
            @if listing.allow_comments || !comments.is_empty() {
                section aria-labelledby="comments" {
                    h2 #comments { "Comments on all photos" }
                    (comment_list(&comments))
                    @if listing.allow_comments { (comment_form("", "all", forms)) }
                }
            }
        }
        footer { p { "This link is valid until " (listing.expires_at.get(..10).unwrap_or_default()) " (UTC)." } }
    };
    document(name, &body)
}

/// A page that says why there is nothing to see.
pub(crate) fn refusal(message: &str) -> String {
    document("Photos to review", &html! { main { h1 { "Nothing to see here" } p { (message) } } })
}

fn document(title: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                link rel="icon" href="data:,";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex, nofollow";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
    .into_string()
}

fn summary(listing: &SharedListing) -> String {
    let of = |decision: Decision| {
        let has = |photo: &&SharedPhoto| photo.approval.as_ref().is_some_and(|approval| approval.decision == decision);
        listing.photos.iter().filter(has).count()
    };
    let all = listing.photos.len();
    match listing.allow_approval {
        true => format!("{all} photos: {} approved, {} rejected", of(Decision::Approved), of(Decision::Rejected)),
        false => format!("{all} photos"),
    }
}

/// What a photo is called.
fn title_of(at: usize, photo: &SharedPhoto) -> String {
    let room = || photo.room_type.as_ref().map(|room| room.replace('_', " "));
    let named = photo.title.clone().or_else(room);
    let number = at + 1;
    named.map_or_else(|| format!("Photo {number}"), |name| format!("{number}. {name}"))
}

fn photo_section(listing: &SharedListing, at: usize, photo: &SharedPhoto, forms: &str) -> Markup {
    let (id, title) = (&photo.photo_id, title_of(at, photo));
    let is_of = |comment: &&SharedComment| comment.photo_id.as_ref() == Some(id);
    let comments: Vec<_> = listing.comments.iter().filter(is_of).collect();
    html! {
        section id={ "photo-" (id) } aria-labelledby={ "title-" (id) } {
            h2 id={ "title-" (id) } { (title) }
            @if photo.media.is_empty() { p { "Nothing is finished yet." } }
            @for media in &photo.media { (figure(media, &title)) }
            @if let Some(approval) = &photo.approval {
                p class=(approval.decision.as_str()) {
                    @match approval.decision { Decision::Approved => "Approved", Decision::Rejected => "Rejected" }
                    @if let Some(name) = &approval.name { " by " (name) }
                }
            }
            @if listing.allow_approval { (decision_form(id, &title, forms)) }
            (comment_list(&comments))
            @if listing.allow_comments {
                details { summary { "Comment on " (title) } (comment_form(id, id, forms)) }
            }
        }
    }
}

fn figure(media: &SharedMedia, title: &str) -> Markup {
    let what = match media.job_type {
        "image_enhance" => "enhanced",
        "virtual_staging" => "virtually staged",
        "video_clip" => "clip",
        _ => "flight",
    };
    let (url, name) = (&media.url, format!("{title}, {what}"));
    let (width, height) = media.width.zip(media.height).unzip();
    html! {
        figure {
            @if matches!(media.job_type, "image_enhance" | "virtual_staging") {
                a href=(url) { img src=(url) alt=(name) loading="lazy" width=[width] height=[height]; }
            } @else {
                video src=(url) aria-label=(name) controls preload="none" poster=[&media.poster_url] {}
            }
            figcaption { b { (what) } " " (media.disclosure) }
        }
    }
}

fn decision_form(id: &str, title: &str, forms: &str) -> Markup {
    html! {
        form.decision method="post" action={ (forms) "approvals" } {
            input type="hidden" name="photo_id" value=(id);
            label { "Your name " input name="name" maxlength="100" autocomplete="name"; }
            button name="decision" value="approved" aria-label={ "Approve " (title) } { "Approve" }
            button name="decision" value="rejected" aria-label={ "Reject " (title) } { "Reject" }
        }
    }
}

fn comment_list(comments: &[&SharedComment]) -> Markup {
    html! {
        @if !comments.is_empty() {
            ul.comments {
                @for comment in comments {
                    li {
                        b { (comment.name) } " "
                        time datetime=(comment.created_at) { (comment.created_at.get(..10).unwrap_or_default()) }
                        p { (comment.text) }
                    }
                }
            }
        }
    }
}

fn comment_form(photo_id: &str, id: &str, forms: &str) -> Markup {
    html! {
        form.comment method="post" action={ (forms) "comments" } {
            input type="hidden" name="photo_id" value=(photo_id);
            label for={ "name-" (id) } { "Your name" }
            input id={ "name-" (id) } name="name" required maxlength="100" autocomplete="name";
            label for={ "text-" (id) } { "Comment" }
            textarea id={ "text-" (id) } name="text" required maxlength="2000" rows="3" {}
            button { "Send the comment" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> SharedListing {
        let hostile = "<script>alert('1')</script>".to_owned();
        let media = SharedMedia {
            job_type: "image_enhance",
            url: "../media/a?expires=1&signature=2".into(),
            poster_url: None,
            width: Some(4),
            height: Some(3),
            disclosure: hostile.clone(),
        };
        let photo = SharedPhoto {
            photo_id: "a".into(),
            title: Some(hostile.clone()),
            room_type: None,
            media: vec![media],
            approval: None,
        };
        let comment = |photo_id: Option<&str>| SharedComment {
            photo_id: photo_id.map(str::to_owned),
            text: hostile.clone(),
            name: hostile.clone(),
            created_at: "2026-03-10T12:00:00.250Z".into(),
        };
        SharedListing {
            address: Some(hostile.clone()),
            allow_approval: true,
            allow_comments: true,
            expires_at: "2026-04-09T12:00:00.250Z".into(),
            photos: vec![photo],
            videos: Vec::new(),
            comments: vec![comment(None), comment(Some("a")), comment(Some("removed"))],
        }
    }

    #[test]
    fn what_people_wrote_is_text_and_never_markup() {
        let page = page(&listing(), "TOKEN/", Some("<b>"));
        assert!(!page.contains("<script") && !page.contains("<b><"), "{page}");
        assert_eq!(page.matches("&lt;script&gt;alert('1')").count(), 14, "{page}");
        assert!(page.contains("src=\"../media/a?expires=1&amp;signature=2\""));
    }

    #[test]
    fn forms_are_there_only_where_the_link_allows_them() {
        let only = |allow_approval, allow_comments| {
            let listing = SharedListing { allow_approval, allow_comments, ..listing() };
            let page = page(&listing, "TOKEN/", None);
            (page.matches("TOKEN/approvals").count(), page.matches("TOKEN/comments").count())
        };
        assert_eq!(only(true, true), (1, 2));
        assert_eq!(only(false, false), (0, 0));
        assert_eq!(only(false, true), (0, 2));
    }

    #[test]
    fn the_policy_allows_the_style_of_the_page_and_no_scripts() {
        let policy = policy(Delivery::Proxy);
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("script-src"));
        assert!(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"));
    }
}
