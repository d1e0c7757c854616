//! Query parameters.

use std::ops::RangeInclusive;

use aerie_domain::{Clock, Layout, ValidationError};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::ApiState;
use crate::error::ApiError;

/// A request that is read from the query.
pub(crate) trait RequestQuery: Sized {
    fn from_query(parameters: &Parameters, clock: &dyn Clock) -> Result<Self, ValidationError>;
}

/// A page of a list.
pub(crate) struct PageOf {
    pub(crate) limit: u32,
    pub(crate) offset: u64,
}

impl RequestQuery for PageOf {
    fn from_query(parameters: &Parameters, _: &dyn Clock) -> Result<Self, ValidationError> {
        let (limit, offset) = parameters.page()?;
        Ok(Self { limit, offset })
    }
}

/// A valid query.
pub(crate) struct ApiQuery<T>(pub(crate) T);

impl<T: RequestQuery> FromRequestParts<std::sync::Arc<ApiState>> for ApiQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &std::sync::Arc<ApiState>) -> Result<Self, ApiError> {
        let parameters = Parameters::parse(parts.uri.query().unwrap_or_default());
        Ok(Self(T::from_query(&parameters, &*state.clock)?))
    }
}

/// The parameters of a query. Unknown ones are ignored.
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(crate) fn parse(query: &str) -> Self {
        Self::parse_bytes(query.as_bytes())
    }

    /// The fields of a form.
    pub(crate) fn parse_bytes(form: &[u8]) -> Self {
        Self(form_urlencoded::parse(form).into_owned().collect())
    }

    /// The parameter `name` as it was sent. It must not be repeated.
    pub(crate) fn once(&self, name: &str) -> Result<Option<&str>, ValidationError> {
        let mut values = self.0.iter().filter(|(given, _)| given == name).map(|(_, value)| value.as_str());
        let value = values.next();
        if values.next().is_some() {
            return Err(ValidationError::new(name, "must be given once"));
        }
        Ok(value)
    }

    /// The parameter `name`, one line. It must not be repeated.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, ValidationError> {
        let value = self.once(name)?;
        if let Some(value) = value {
            Layout::Line.check(value).map_err(|bad| ValidationError::new(name, bad.to_string()))?;
        }
        Ok(value)
    }

    /// The parameter `name`, `true` or `false`; `false` without it.
    pub(crate) fn boolean(&self, name: &str) -> Result<bool, ValidationError> {
        match self.text(name)? {
            Some("true") => Ok(true),
            Some("false") | None => Ok(false),
            Some(_) => Err(ValidationError::new(name, "must be `true` or `false`")),
        }
    }

    /// The size of a page, and the number of entries before it: `limit` and `offset`.
    pub(crate) fn page(&self) -> Result<(u32, u64), ValidationError> {
        let limit = self.integer("limit", 1..=100)?.unwrap_or(50);
        let offset = self.integer("offset", 0..=i64::MAX.unsigned_abs())?.unwrap_or(0);
        Ok((u32::try_from(limit).unwrap_or(100), offset))
    }

    /// The integer parameter `name`.
    pub(crate) fn integer(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, ValidationError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        // As in bodies, an integer may arrive as `5.0`.
        let digits =
            text.split_once('.').filter(|(_, zeros)| !zeros.is_empty() && zeros.bytes().all(|zero| zero == b'0'));
        let digits = digits.map_or(text, |(digits, _)| digits);
        let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        let number = if plain { digits.parse().ok() } else { None };
        number.filter(|number| range.contains(number)).map(Some).ok_or_else(|| {
            let allowed = match *range.end() {
                u64::MAX | 0x7fff_ffff_ffff_ffff => format!("{} or more", range.start()),
                end => format!("from {} to {end}", range.start()),
            };
            ValidationError::new(name, format!("must be an integer, {allowed}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(query: &str) -> Result<Option<u64>, String> {
        Parameters::parse(query).integer("limit", 1..=100).map_err(|error| error.to_string())
    }

    #[test]
    fn an_integer_is_read_strictly() {
        assert_eq!(integer(""), Ok(None));
        assert_eq!(integer("limit=1&x=2&x=3"), Ok(Some(1)));
        assert_eq!(integer("limit=100"), Ok(Some(100)));
        assert_eq!(integer("limit=5.0"), Ok(Some(5)));
        for query in [
            "limit=",
            "limit=0",
            "limit=101",
            "limit=-1",
            "limit=%2B5",
            "limit=5.5",
            "limit=5.",
            "limit=.0",
            "limit=1e1",
        ] {
            assert_eq!(integer(query), Err("`limit` must be an integer, from 1 to 100".into()), "{query}");
        }
        assert_eq!(integer("limit=99999999999999999999"), Err("`limit` must be an integer, from 1 to 100".into()));
    }

    #[test]
    fn a_parameter_is_one_line_without_control_characters() {
        for query in ["name=a%00b", "name=%0A", "name=a%1Bb", "name=%C2%9B", "name=%E2%80%AE"] {
            let error = Parameters::parse(query).text("name").unwrap_err().to_string();
            assert!(error.starts_with("`name` must be one line without control characters"), "{error}");
        }
        assert_eq!(Parameters::parse("name=a+b&other=%00").text("name"), Ok(Some("a b")));
    }

    #[test]
    fn a_repeated_parameter_is_refused() {
        assert_eq!(integer("limit=5&limit=5"), Err("`limit` must be given once".into()));
    }
}
