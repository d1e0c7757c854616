//! The tus protocol for resumable uploads (version 1.0.0, <https://tus.io/protocols/resumable-upload>): its headers.

use aerie_domain::Layout;
use aerie_storage::Upload;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::Response;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::uploads::MAX_SIZE;
use crate::{sessions, upload_paths};

/// Type of the body of a part.
pub(crate) const PART: &str = "application/offset+octet-stream";

const VERSION: &str = "1.0.0";
const RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const VERSIONS: HeaderName = HeaderName::from_static("tus-version");
const METADATA: HeaderName = HeaderName::from_static("upload-metadata");
const LENGTH: &str = "Upload-Length";
const OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");
/// Headers of extensions that are not supported, which a client would rely on, and what to do instead.
const UNSUPPORTED: [(&str, &str); 3] = [
    (
        "Upload-Concat",
        "upload the photo as one upload, not as parallel ones (tus-js-client: leave out `parallelUploads`)",
    ),
    ("Upload-Defer-Length", "give the size as `Upload-Length` when the upload begins (tus-js-client: `uploadSize`)"),
    ("Upload-Checksum", "leave it out, and compare `sha256` of the complete upload"),
];
/// Headers of an upload in parts: by this protocol, or by the draft of another one.
const OF_PARTS: [&str; 9] = [
    LENGTH,
    "Upload-Offset",
    "Upload-Concat",
    "Upload-Defer-Length",
    "Upload-Checksum",
    "Upload-Complete",
    "Upload-Incomplete",
    "Upload-Draft-Interop-Version",
    "Content-Range",
];
/// Base64, of which some clients leave out the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);
/// Longest name of a file, characters.
const MAX_NAME: usize = 255;

/// Gives a request for an upload the method that `X-HTTP-Method-Override` names, where a client or a proxy allows no `PATCH` or `DELETE`.
/// Must be applied before the request is routed and authenticated.
pub(crate) fn with_given_method(mut request: Request) -> Request {
    let mut given = request.headers().get_all(OVERRIDE).iter();
    let (first, second) = (given.next(), given.next());
    let Some(first) = first.filter(|_| is_for_upload(&request)) else { return request };
    let named = first.to_str().ok().filter(|_| second.is_none());
    let named = named.and_then(|name| Method::from_bytes(name.trim().to_ascii_uppercase().as_bytes()).ok());
    let method = match named {
        // The transport sends a body in response to this request, which must be there.
        Some(Method::HEAD) => Method::GET,
        Some(method) => method,
        // No path supports it. The request must not be taken for one with the method that it was sent with.
        None => Method::TRACE,
    };
    *request.method_mut() = method;
    request
}

/// Returns whether the client speaks the protocol.
///
/// # Errors
/// If it speaks another version, or uses an extension that is not supported.
pub(crate) fn is_spoken(headers: &HeaderMap) -> Result<bool, ApiError> {
    match headers.get(RESUMABLE) {
        Some(version) if version != VERSION => {
            return Err(ApiError::with_message(ApiErrorCode::UnsupportedVersion, "`Tus-Resumable` must be 1.0.0"));
        }
        None => return Ok(false),
        Some(_) => {}
    }
    check_extensions(headers)?;
    Ok(true)
}

/// Refuses a request that uses an extension that is not supported.
pub(crate) fn check_extensions(headers: &HeaderMap) -> Result<(), ApiError> {
    match UNSUPPORTED.into_iter().find(|(name, _)| headers.contains_key(*name)) {
        Some((name, remedy)) => {
            Err(refused(format!("`{name}` is not supported: its extension is not in `Tus-Extension`; {remedy}")))
        }
        None => Ok(()),
    }
}

/// Refuses a photo sent as a whole that has a header of uploads in parts: it may be a part.
pub(crate) fn check_whole(headers: &HeaderMap) -> Result<(), ApiError> {
    match OF_PARTS.into_iter().find(|name| headers.contains_key(*name)) {
        Some(name) => Err(refused(format!(
            "`{name}` needs the header `Tus-Resumable: 1.0.0`: uploads in parts use version 1.0.0 of the tus protocol alone. Leave it out to \
             send the photo as a whole"
        ))),
        None => Ok(()),
    }
}

/// Refuses a request that names another size than the upload has.
pub(crate) fn check_length(headers: &HeaderMap, upload: &Upload) -> Result<(), ApiError> {
    match headers.contains_key(LENGTH) && number(headers, LENGTH)? != upload.size {
        true => Err(refused(format!("`{LENGTH}` is {} since the upload began, and cannot change", upload.size))),
        false => Ok(()),
    }
}

/// Refuses a body that is not typed as a part.
pub(crate) fn check_part(headers: &HeaderMap) -> Result<(), ApiError> {
    match is_type(headers, PART) {
        true => Ok(()),
        false => Err(ApiError::with_message(
            ApiErrorCode::UnsupportedMediaType,
            format!("The Content-Type of a part must be {PART}"),
        )),
    }
}

/// The number in a header.
pub(crate) fn number(headers: &HeaderMap, name: &'static str) -> Result<u64, ApiError> {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    let value = value.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    value.and_then(|text| text.parse().ok()).ok_or_else(|| refused(format!("`{name}` must be a number of bytes")))
}

/// The client's name for the file: `filename` of `Upload-Metadata`.
pub(crate) fn filename(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(metadata) = headers.get(METADATA) else { return Ok(None) };
    let wrong = || refused("`Upload-Metadata` must be pairs of a key and its value in Base64, separated by commas");
    let metadata = metadata.to_str().map_err(|_| wrong())?;
    for pair in metadata.split(',') {
        let (key, value) = pair.trim().split_once(' ').unwrap_or((pair.trim(), ""));
        if key == "filename" {
            let bytes = BASE64.decode(value.trim()).map_err(|_| wrong())?;
            return name_of(&String::from_utf8(bytes).map_err(|_| wrong())?);
        }
    }
    Ok(None)
}

/// A valid name of a file; `None` if it is blank.
pub(crate) fn name_of(name: &str) -> Result<Option<String>, ApiError> {
    let name = name.trim();
    if name.chars().count() > MAX_NAME {
        return Err(refused(format!("`filename` must be at most {MAX_NAME} characters long")));
    }
    Layout::Line.check(name).map_err(|bad| refused(format!("`filename` {bad}")))?;
    Ok(Some(name.to_owned()).filter(|name| !name.is_empty()))
}

/// Whether the body is of this type.
pub(crate) fn is_type(headers: &HeaderMap, wanted: &str) -> bool {
    let given = headers.get(axum::http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    given.is_some_and(|given| given.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(wanted))
}

/// Returns whether a request is for an upload: each response has the protocol's version then, also one by which the request is refused.
pub(crate) fn is_for_upload(request: &Request) -> bool {
    upload_paths::contain(sessions::public_path(request.uri().path()))
}

/// Adds the version of the protocol to a response.
pub(crate) fn sign(response: &mut Response) {
    response.headers_mut().insert(RESUMABLE, HeaderValue::from_static(VERSION));
    if response.status() == StatusCode::PRECONDITION_FAILED {
        response.headers_mut().insert(VERSIONS, HeaderValue::from_static(VERSION));
    }
}

/// Adds what the protocol says of an upload. `base` is the path under which clients reach the service.
pub(crate) fn describe(upload: &Upload, base: &str, response: &mut Response) {
    let expires = upload.expiry().map(|at| ("upload-expires", at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()));
    let headers = [
        ("upload-offset", upload.received().to_string()),
        ("upload-length", upload.size.to_string()),
        ("location", format!("{base}{}{}", upload_paths::OF_ONE, upload.id)),
    ];
    let metadata = upload.name.as_ref().map(|name| ("upload-metadata", format!("filename {}", BASE64.encode(name))));
    for (name, value) in headers.into_iter().chain(expires).chain(metadata) {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
}

/// Adds what the service supports.
pub(crate) fn announce(response: &mut Response) {
    let headers = [
        ("tus-version", VERSION.to_owned()),
        ("tus-extension", "creation,creation-with-upload,expiration,termination".to_owned()),
        ("tus-max-size", MAX_SIZE.to_string()),
    ];
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
}

fn refused(message: impl Into<String>) -> ApiError {
    ApiError::with_message(ApiErrorCode::ValidationError, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn the_name_of_a_file_is_read_from_the_metadata_and_a_hostile_one_is_refused() {
        let name = |metadata: &str| filename(&with("upload-metadata", metadata)).map_err(|_| ());
        assert_eq!(name("filetype aW1hZ2UvanBlZw==,filename a8O8Y2hlLmpwZw=="), Ok(Some("küche.jpg".into())));
        assert_eq!(name("is_confidential"), Ok(None));
        assert_eq!(filename(&HeaderMap::new()).map_err(|_| ()), Ok(None));
        // Not Base64, not UTF-8, a line break.
        for (value, expected) in
            [("filename", None), ("filename ", None), ("", None), ("filename YQ", Some("a".to_owned()))]
        {
            assert_eq!(name(value), Ok(expected), "{value}");
        }
        for wrong in ["filename a.jpg", "filename /w==", "filename YQpi"] {
            assert_eq!(name(wrong), Err(()), "{wrong}");
        }
        assert_eq!(name_of(&"a".repeat(256)).map_err(|_| ()), Err(()));
    }

    #[test]
    fn an_offset_is_a_number_of_bytes() {
        let offset = |value: &str| number(&with("upload-offset", value), "upload-offset").map_err(|_| ());
        assert_eq!(offset("0"), Ok(0));
        for wrong in ["", "-1", "+1", "1.0", "99999999999999999999", " 1"] {
            assert_eq!(offset(wrong), Err(()), "{wrong}");
        }
    }

    #[test]
    fn the_method_of_a_request_for_an_upload_is_the_one_that_its_header_names() {
        const ONE: &str = "/v1/uploads/1";
        let method_of = |path: &str, given: &[&str]| {
            let request = given.iter().fold(Request::post(path), |request, given| request.header(OVERRIDE, *given));
            with_given_method(request.body(axum::body::Body::empty()).unwrap()).method().clone()
        };
        for (path, given, expected) in [
            (ONE, &["PATCH"][..], Method::PATCH),
            (ONE, &[" patch "], Method::PATCH),
            (ONE, &["DELETE"], Method::DELETE),
            (ONE, &["HEAD"], Method::GET),
            (ONE, &[], Method::POST),
            (ONE, &["PATCH", "DELETE"], Method::TRACE),
            (ONE, &[""], Method::TRACE),
            (ONE, &["NO METHOD"], Method::TRACE),
            ("/v1/uploads", &["OPTIONS"], Method::OPTIONS),
            ("/console/api/v1/uploads/1", &["PATCH"], Method::PATCH),
            ("/v1/jobs/1", &["DELETE"], Method::POST),
            ("/v1/uploadsx", &["DELETE"], Method::POST),
        ] {
            assert_eq!(method_of(path, given), expected, "{path} {given:?}");
        }
    }
}
