//! What Content Credentials say about a file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What is said about a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Name of the file, as viewers show it.
    pub title: String,
    /// What was done, in order. The first is [`ActionName::Opened`] or [`ActionName::Created`].
    pub actions: Vec<Action>,
    /// What it was made from.
    pub ingredients: Vec<Ingredient>,
    /// What people must be informed of.
    pub disclosure: Option<Disclosure>,
}

/// A step in the making of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// What was done.
    pub name: ActionName,
    /// In words.
    pub description: Option<String>,
    /// IPTC digital source type, a URI. Required for [`ActionName::Created`].
    pub source_type: Option<String>,
    /// The ingredients that it concerns, by [`Ingredient::id`]. Required for [`ActionName::Opened`] and [`ActionName::Placed`].
    pub ingredients: Vec<String>,
}

/// The actions of the C2PA specification that Aerie performs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActionName {
    /// The file is another version of its parent ingredient.
    #[serde(rename = "c2pa.opened")]
    Opened,
    /// The file is new.
    #[serde(rename = "c2pa.created")]
    Created,
    /// An ingredient became part of the file.
    #[serde(rename = "c2pa.placed")]
    Placed,
    /// Tone and color were changed.
    #[serde(rename = "c2pa.color_adjustments")]
    ColorAdjustments,
    /// Content was cropped.
    #[serde(rename = "c2pa.cropped")]
    Cropped,
    /// What is depicted was changed.
    #[serde(rename = "c2pa.edited")]
    Edited,
    /// Something was drawn over the content.
    #[serde(rename = "c2pa.drawing")]
    Drawing,
    /// The number of pixels was changed.
    #[serde(rename = "c2pa.resized")]
    Resized,
    /// The content was encoded anew.
    #[serde(rename = "c2pa.transcoded")]
    Transcoded,
}

/// A file that another was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ingredient {
    /// Unique name within the statement.
    pub id: String,
    /// The file. Untrusted. Its own Content Credentials are passed on.
    pub path: PathBuf,
    /// Name of the file, as viewers show it.
    pub title: String,
    /// How it relates to the output.
    pub relationship: Relationship,
}

/// How an ingredient relates to the file that was made from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Relationship {
    /// The file is another version of it. At most one ingredient is the parent.
    ParentOf,
    /// The file shows it.
    ComponentOf,
    /// It was read, and the file does not show it.
    InputTo,
}

/// The disclosure of a job's output, and whose data were used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disclosure {
    /// A sentence or more.
    pub text: String,
    /// Credits of map data and imagery.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributions: Vec<String>,
}
