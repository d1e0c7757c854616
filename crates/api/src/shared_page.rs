//! The web page of a share link. It has no scripts: decisions and comments are forms.

use std::fmt::Write as _;
use std::sync::LazyLock;

use aerie_domain::Decision;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::Delivery;
use crate::html::escaped;
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
    let name = escaped(listing.address.as_deref().unwrap_or("Photos to review"));
    let mut page = head(&name);
    let _ = write!(page, "<header><h1>{name}</h1>\n<p>{}</p></header>\n<main>\n", summary(listing));
    if let Some(problem) = problem {
        let _ = writeln!(page, "<p class=\"problem\" role=\"alert\">{}</p>", escaped(problem));
    }
    for (at, photo) in listing.photos.iter().enumerate() {
        add_photo(&mut page, listing, (at, photo), forms);
    }
    if !listing.videos.is_empty() {
        page.push_str("<section aria-labelledby=\"videos\"><h2 id=\"videos\">Videos</h2>\n");
        listing.videos.iter().for_each(|video| add_media(&mut page, video, "The property"));
        page.push_str("</section>\n");
    }
    let general = |comment: &&SharedComment| {
        let is_of = |photo: &SharedPhoto| comment.photo_id.as_ref() == Some(&photo.photo_id);
        !listing.photos.iter().any(is_of)
    };
    let comments: Vec<_> = listing.comments.iter().filter(general).collect();
    if listing.allow_comments || !comments.is_empty() {
        page.push_str("<section aria-labelledby=\"comments\"><h2 id=\"comments\">Comments on all photos</h2>\n");
        add_comments(&mut page, &comments);
        if listing.allow_comments {
            add_comment_form(&mut page, "", "all", forms);
        }
        page.push_str("</section>\n");
    }
    let day = listing.expires_at.get(..10).unwrap_or_default();
    let _ = write!(page, "</main>\n<footer><p>This link is valid until {day} (UTC).</p></footer>\n</body>\n</html>\n");
    page
}

/// A page that says why there is nothing to see.
pub(crate) fn refusal(message: &str) -> String {
    let message = escaped(message);
    head("Photos to review")
        + &format!("<main><h1>Nothing to see here</h1>\n<p>{message}</p></main>\n</body>\n</html>\n")
}

fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex, nofollow\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    )
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

fn add_photo(page: &mut String, listing: &SharedListing, (at, photo): (usize, &SharedPhoto), forms: &str) {
    let (id, title) = (escaped(&photo.photo_id), title_of(at, photo));
    let _ = writeln!(
        page,
        "<section id=\"photo-{id}\" aria-labelledby=\"title-{id}\">\n<h2 id=\"title-{id}\">{}</h2>",
        escaped(&title)
    );
    if photo.media.is_empty() {
        page.push_str("<p>Nothing is finished yet.</p>\n");
    }
    photo.media.iter().for_each(|media| add_media(page, media, &title));
    if let Some(approval) = &photo.approval {
        let (decision, by) = match approval.decision {
            Decision::Approved => ("Approved", &approval.name),
            Decision::Rejected => ("Rejected", &approval.name),
        };
        let by = by.as_ref().map(|name| format!(" by {}", escaped(name))).unwrap_or_default();
        let _ = writeln!(page, "<p class=\"{}\">{decision}{by}</p>", approval.decision.as_str());
    }
    if listing.allow_approval {
        add_decision_form(page, &id, &title, forms);
    }
    let is_of = |comment: &&SharedComment| comment.photo_id.as_ref() == Some(&photo.photo_id);
    let comments: Vec<_> = listing.comments.iter().filter(is_of).collect();
    add_comments(page, &comments);
    if listing.allow_comments {
        let _ = writeln!(page, "<details><summary>Comment on {}</summary>", escaped(&title));
        add_comment_form(page, &photo.photo_id, &photo.photo_id, forms);
        page.push_str("</details>\n");
    }
    page.push_str("</section>\n");
}

fn add_media(page: &mut String, media: &SharedMedia, title: &str) {
    let what = match media.job_type {
        "image_enhance" => "enhanced",
        "virtual_staging" => "virtually staged",
        "video_clip" => "clip",
        _ => "flight",
    };
    let (url, name) = (escaped(&media.url), escaped(&format!("{title}, {what}")));
    let size = match (media.width, media.height) {
        (Some(width), Some(height)) => format!(" width=\"{width}\" height=\"{height}\""),
        _ => String::new(),
    };
    let shown = match media.job_type {
        "image_enhance" | "virtual_staging" => {
            format!("<a href=\"{url}\"><img src=\"{url}\" alt=\"{name}\" loading=\"lazy\"{size}></a>")
        }
        _ => {
            let poster = media.poster_url.as_deref().map(|url| format!(" poster=\"{}\"", escaped(url)));
            format!(
                "<video src=\"{url}\" aria-label=\"{name}\" controls preload=\"none\"{}></video>",
                poster.unwrap_or_default()
            )
        }
    };
    let disclosure = escaped(&media.disclosure);
    let _ = writeln!(page, "<figure>{shown}<figcaption><b>{what}</b> {disclosure}</figcaption></figure>");
}

fn add_decision_form(page: &mut String, id: &str, title: &str, forms: &str) {
    let title = escaped(title);
    let _ = writeln!(
        page,
        "<form method=\"post\" action=\"{forms}approvals\" class=\"decision\">\n<input type=\"hidden\" name=\"photo_id\" value=\"{id}\">\n\
         <label>Your name <input name=\"name\" maxlength=\"100\" autocomplete=\"name\"></label>\n\
         <button name=\"decision\" value=\"approved\" aria-label=\"Approve {title}\">Approve</button>\n\
         <button name=\"decision\" value=\"rejected\" aria-label=\"Reject {title}\">Reject</button>\n</form>"
    );
}

fn add_comments(page: &mut String, comments: &[&SharedComment]) {
    if comments.is_empty() {
        return;
    }
    page.push_str("<ul class=\"comments\">\n");
    for comment in comments {
        let (name, text) = (escaped(&comment.name), escaped(&comment.text));
        let (at, day) = (&comment.created_at, comment.created_at.get(..10).unwrap_or_default());
        let _ = writeln!(page, "<li><b>{name}</b> <time datetime=\"{at}\">{day}</time>\n<p>{text}</p></li>");
    }
    page.push_str("</ul>\n");
}

fn add_comment_form(page: &mut String, photo_id: &str, id: &str, forms: &str) {
    let (photo_id, id) = (escaped(photo_id), escaped(id));
    let _ = writeln!(
        page,
        "<form method=\"post\" action=\"{forms}comments\" class=\"comment\">\n<input type=\"hidden\" name=\"photo_id\" value=\"{photo_id}\">\n\
         <label for=\"name-{id}\">Your name</label>\n<input id=\"name-{id}\" name=\"name\" required maxlength=\"100\" autocomplete=\"name\">\n\
         <label for=\"text-{id}\">Comment</label>\n<textarea id=\"text-{id}\" name=\"text\" required maxlength=\"2000\" rows=\"3\"></textarea>\n\
         <button>Send the comment</button>\n</form>"
    );
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
        assert_eq!(page.matches("&lt;script&gt;alert(&#39;1&#39;)").count(), 14, "{page}");
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
