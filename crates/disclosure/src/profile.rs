//! A set of rules about disclosure, and what follows from it for a picture.

use aerie_engine_api::JobType;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Longest texts of a profile, characters: a label is one line in a picture, as in a request.
const MAX_LABEL: usize = 80;
const MAX_TEXT: usize = 1000;
/// Longest suffix of a file name, characters.
const MAX_SUFFIX: usize = 32;

/// What a caption's text is completed with.
const WHAT: &str = "{what}";
const CHANGES: &str = "{changes}";
const ADDRESS: &str = "{url}";

/// What a set of rules says about a means of disclosure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// It has to be used.
    Required,
    /// It may be used.
    Allowed,
    /// It must not be used.
    Forbidden,
}

impl Use {
    /// The name in files and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Allowed => "allowed",
            Self::Forbidden => "forbidden",
        }
    }
}

/// Where the rules are written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// The day on which it was read, YYYY-MM-DD.
    pub seen: String,
    /// What it says, in its own words or shortened.
    pub says: String,
}

/// A line of text in the picture.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// Whether pictures that are altered carry one.
    #[serde(rename = "use")]
    pub rule: Use,
    /// Its text in staged photos.
    pub staged: Option<String>,
    /// Its text in photos that were altered otherwise.
    pub altered: Option<String>,
}

/// A text beside the picture.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caption {
    /// Whether pictures that are altered have one.
    #[serde(rename = "use")]
    pub rule: Use,
    /// What `{what}` stands for with staged photos.
    pub staged: Option<String>,
    /// What `{what}` stands for with photos that were altered otherwise.
    pub altered: Option<String>,
    /// The text. `{what}`, `{changes}` (what was changed) and `{url}` (the address of the truth page) are replaced.
    pub text: Option<String>,
    /// The text while there is no truth page.
    pub without_page: Option<String>,
}

/// The truth page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageRule {
    #[serde(rename = "use")]
    rule: Use,
}

/// The file of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileFile {
    title: String,
    rule: String,
    label: Label,
    caption: Caption,
    truth_page: PageRule,
    file_suffix: Option<String>,
    #[serde(default)]
    sources: Vec<Source>,
}

/// A set of rules about disclosure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Its name in requests: that of its file.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What the rules ask for, shortened.
    pub rule: String,
    /// The label in the picture.
    pub label: Label,
    /// The text beside it.
    pub caption: Caption,
    /// The public page with the original.
    pub truth_page: Use,
    /// What the names of files in archives end with, before the extension.
    pub file_suffix: Option<String>,
    /// Where the rules are written.
    pub sources: Vec<Source>,
}

/// What follows from a profile for a finished picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disclosed {
    /// Whether the picture shows something that was not there.
    pub is_altered: bool,
    /// The text to publish beside the picture, if it is altered and the profile has one.
    pub caption: Option<String>,
    /// Whether a truth page is still to be published.
    pub lacks_page: bool,
    /// What the names of its files end with.
    pub file_suffix: Option<String>,
}

impl Profile {
    /// Reads the file of a profile with this name.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let file: ProfileFile = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let profile = Self {
            name: name.to_owned(),
            title: file.title,
            rule: file.rule,
            label: file.label,
            caption: file.caption,
            truth_page: file.truth_page.rule,
            file_suffix: file.file_suffix,
            sources: file.sources,
        };
        profile.check().map(|()| profile)
    }

    fn check(&self) -> Result<(), String> {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || self.name.len() > 64 || !self.name.chars().all(is_plain) {
            return Err("the name of the file must consist of lower-case letters, digits and hyphens".to_owned());
        }
        let labels = [&self.label.staged, &self.label.altered];
        if self.label.rule == Use::Required && labels.contains(&&None) {
            return Err("[label] needs `staged` and `altered`, because its use is required".to_owned());
        }
        for label in labels.into_iter().flatten() {
            if label.chars().count() > MAX_LABEL || !label.chars().all(aerie_engine_api::photo::is_printable) {
                return Err(format!(
                    "[label] texts must be one line of at most {MAX_LABEL} Latin, Greek or Cyrillic characters"
                ));
            }
        }
        if self.caption.rule == Use::Required && self.caption.text.is_none() {
            return Err("[caption] needs `text`, because its use is required".to_owned());
        }
        let texts = [&self.caption.text, &self.caption.without_page, &self.caption.staged, &self.caption.altered];
        let texts = texts.into_iter().flatten().chain([&self.title, &self.rule]);
        let sources = self.sources.iter().flat_map(|source| [&source.title, &source.url, &source.seen, &source.says]);
        for text in texts.chain(sources) {
            if text.chars().count() > MAX_TEXT || text.chars().any(char::is_control) {
                return Err(format!("texts must have at most {MAX_TEXT} characters, on one line"));
            }
        }
        if self.caption.without_page.as_ref().is_some_and(|text| text.contains(ADDRESS)) {
            return Err("[caption] without_page must not have {url}".to_owned());
        }
        let is_suffix = |suffix: &String| suffix.len() <= MAX_SUFFIX && suffix.chars().all(is_plain);
        if !self.file_suffix.as_ref().is_none_or(is_suffix) {
            return Err("file_suffix must consist of lower-case letters, digits and hyphens".to_owned());
        }
        Ok(())
    }

    /// The label that pictures have to carry that were staged, or altered otherwise.
    #[must_use]
    pub fn required_label(&self, is_staged: bool) -> Option<&str> {
        let label = if is_staged { &self.label.staged } else { &self.label.altered };
        label.as_deref().filter(|_| self.label.rule == Use::Required)
    }

    /// Whether truth pages can be published under this profile.
    #[must_use]
    pub fn has_page(&self) -> bool {
        self.truth_page != Use::Forbidden
    }

    /// What follows for a picture or clip from the job's `output`; `page` is the address of its truth page.
    #[must_use]
    pub fn disclose(&self, kind: JobType, output: &Map<String, Value>, page: Option<&str>) -> Disclosed {
        let disclosure = output.get("disclosure");
        let is_altered = disclosure.and_then(|it| it["altered"].as_bool()).unwrap_or(false);
        let changes = disclosure.and_then(|it| it["text"].as_str()).unwrap_or_default();
        let caption = &self.caption;
        let shows_staged = disclosure.and_then(|it| it["staged"].as_bool()).unwrap_or(false);
        let is_staged = kind == JobType::VirtualStaging || shows_staged;
        let what = if is_staged { &caption.staged } else { &caption.altered };
        let text = if page.is_some() {
            &caption.text
        } else {
            caption.without_page.as_ref().map_or(&caption.text, |_| &caption.without_page)
        };
        let text = text.as_ref().filter(|_| is_altered && caption.rule != Use::Forbidden).map(|text| {
            let text = text.replace(WHAT, what.as_deref().unwrap_or_default());
            text.replace(CHANGES, changes).replace(ADDRESS, page.unwrap_or_default()).trim().to_owned()
        });
        Disclosed {
            is_altered,
            caption: text,
            lacks_page: is_altered && self.truth_page == Use::Required && page.is_none(),
            file_suffix: self.file_suffix.clone().filter(|_| is_altered),
        }
    }
}
