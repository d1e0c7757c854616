//! `[capabilities]`: kinds of job that only some workers can run.

use std::collections::BTreeMap;

use aerie_domain::JobType;
use serde::Deserialize;

/// The capability that a worker must have to claim a kind of job. Kinds that are not listed need none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>")]
pub(crate) struct Capabilities(BTreeMap<JobType, String>);

impl Capabilities {
    /// Returns the capability that a kind needs.
    pub(crate) fn needed_by(&self, kind: JobType) -> Option<&str> {
        self.0.get(&kind).map(String::as_str)
    }

    /// Returns whether a worker with these capabilities can run a kind.
    pub(crate) fn allow(&self, kind: JobType, capabilities: &[String]) -> bool {
        self.needed_by(kind).is_none_or(|needed| capabilities.iter().any(|capability| capability == needed))
    }

    /// Returns the capabilities that no kind needs: probably misspelled.
    pub(crate) fn unused<'a>(&self, capabilities: &'a [String]) -> Vec<&'a str> {
        let is_unused = |capability: &&String| !self.0.values().any(|needed| needed == *capability);
        capabilities.iter().filter(is_unused).map(String::as_str).collect()
    }
}

impl TryFrom<BTreeMap<String, String>> for Capabilities {
    type Error = String;

    fn try_from(table: BTreeMap<String, String>) -> Result<Self, Self::Error> {
        let entry = |(kind, capability): (String, String)| {
            let kind = kind_of(&kind).map_err(|why| format!("[capabilities] `{kind}` is not a kind of job: {why}"))?;
            if !is_name(&capability) {
                return Err(format!(
                    "[capabilities] {}: `{capability}` is not a capability: use letters, digits, `-` and `_`, such as `gpu`",
                    path_name(kind)
                ));
            }
            Ok((kind, capability))
        };
        table.into_iter().map(entry).collect::<Result<_, _>>().map(Self)
    }
}

fn is_name(capability: &str) -> bool {
    !capability.is_empty() && capability.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Returns the name of a kind as in the paths of the API.
pub(crate) fn path_name(kind: JobType) -> String {
    kind.as_str().replace('_', "-")
}

/// Reads the name of a kind, as in the paths of the API (`drone-footage`) or in the configuration (`drone_footage`).
///
/// # Errors
/// Every kind, if it is none of them.
pub(crate) fn kind_of(name: &str) -> Result<JobType, String> {
    JobType::from_name(&name.replace('-', "_"))
        .ok_or_else(|| format!("expected one of {}", JobType::ALL.map(path_name).join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capabilities(table: &[(&str, &str)]) -> Result<Capabilities, String> {
        let table = table.iter().map(|(kind, capability)| ((*kind).to_owned(), (*capability).to_owned()));
        table.collect::<BTreeMap<_, _>>().try_into()
    }

    #[test]
    fn a_kind_that_needs_a_capability_is_claimed_by_workers_that_have_it_and_others_by_all() {
        let capabilities = capabilities(&[("drone-footage", "gpu"), ("video_clip", "gpu")]).unwrap();
        let gpu = ["fast".to_owned(), "gpu".to_owned()];
        let claimed = |have: &[String]| JobType::ALL.into_iter().filter(|kind| capabilities.allow(*kind, have)).count();
        assert_eq!((claimed(&gpu), claimed(&gpu[..1]), claimed(&[])), (6, 4, 4));
        assert!(!capabilities.allow(JobType::VideoClip, &gpu[..1]));
        assert_eq!(capabilities.unused(&gpu), ["fast"]);
    }

    #[test]
    fn errors_name_the_key_and_list_the_kinds() {
        let unknown = capabilities(&[("drone", "gpu")]).unwrap_err();
        assert!(
            unknown.contains("[capabilities] `drone`") && unknown.contains("drone-footage, image-enhance"),
            "{unknown}"
        );
        for wrong in ["", "a b", "gpu,cpu"] {
            let error = capabilities(&[("markup", wrong)]).unwrap_err();
            assert!(error.contains("[capabilities] markup"), "{error}");
        }
    }
}
