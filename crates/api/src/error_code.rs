//! The one table of error codes of requests.

use strum::VariantArray;

/// Why a request was refused: `error.code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, VariantArray)]
pub(crate) enum ApiErrorCode {
    /// Body, path or query is invalid.
    ValidationError,
    /// A supplied URL cannot be fetched as an image.
    InvalidUrl,
    /// The key is missing or invalid.
    Unauthorized,
    /// The key lacks the scope, or a signed link is invalid.
    Forbidden,
    /// The kind is disabled for the organization.
    FeatureDisabled,
    /// The monthly quota is used up.
    InsufficientQuota,
    /// No such job for this caller.
    JobNotFound,
    /// No such upload for this caller.
    UploadNotFound,
    /// No such webhook, or delivery of it, for this caller.
    WebhookNotFound,
    /// No such listing for this caller.
    ListingNotFound,
    /// No such share link for this caller, or with this token.
    ShareLinkNotFound,
    /// The share link has expired or was revoked.
    ShareLinkGone,
    /// No such path.
    NotFound,
    /// The path does not support the method.
    MethodNotAllowed,
    /// A job for this resource is already running.
    JobInProgress,
    /// An upload has other bytes than the request continues.
    UploadConflict,
    /// The client speaks another version of the upload protocol.
    UnsupportedVersion,
    /// A file is larger than an upload may be.
    UploadTooLarge,
    /// The body has another type than the request needs.
    UnsupportedMediaType,
    /// Another listing has the reference.
    ListingConflict,
    /// What is to be erased is under legal hold.
    LegalHold,
    /// Too many requests.
    RateLimited,
    /// An error of the service.
    InternalError,
}

impl ApiErrorCode {
    /// Every code.
    pub(crate) const ALL: [Self; Self::VARIANTS.len()] = match Self::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => unreachable!(),
    };

    /// The code as written in the envelope.
    #[must_use]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            ApiErrorCode::ValidationError => "VALIDATION_ERROR",
            ApiErrorCode::InvalidUrl => "INVALID_URL",
            ApiErrorCode::Unauthorized => "UNAUTHORIZED",
            ApiErrorCode::Forbidden => "FORBIDDEN",
            ApiErrorCode::FeatureDisabled => "FEATURE_DISABLED",
            ApiErrorCode::InsufficientQuota => "INSUFFICIENT_QUOTA",
            ApiErrorCode::JobNotFound => "JOB_NOT_FOUND",
            ApiErrorCode::UploadNotFound => "UPLOAD_NOT_FOUND",
            ApiErrorCode::WebhookNotFound => "WEBHOOK_NOT_FOUND",
            ApiErrorCode::ListingNotFound => "LISTING_NOT_FOUND",
            ApiErrorCode::ShareLinkNotFound => "SHARE_LINK_NOT_FOUND",
            ApiErrorCode::ShareLinkGone => "SHARE_LINK_GONE",
            ApiErrorCode::NotFound => "NOT_FOUND",
            ApiErrorCode::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            ApiErrorCode::JobInProgress => "JOB_IN_PROGRESS",
            ApiErrorCode::UploadConflict => "UPLOAD_CONFLICT",
            ApiErrorCode::UnsupportedVersion => "UNSUPPORTED_VERSION",
            ApiErrorCode::UploadTooLarge => "UPLOAD_TOO_LARGE",
            ApiErrorCode::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
            ApiErrorCode::ListingConflict => "LISTING_CONFLICT",
            ApiErrorCode::LegalHold => "LEGAL_HOLD",
            ApiErrorCode::RateLimited => "RATE_LIMITED",
            ApiErrorCode::InternalError => "INTERNAL_ERROR",
        }
    }

    /// The HTTP status of the response.
    #[must_use]
    pub(crate) const fn http_status(self) -> u16 {
        match self {
            ApiErrorCode::ValidationError | ApiErrorCode::InvalidUrl => 400,
            ApiErrorCode::Unauthorized => 401,
            ApiErrorCode::Forbidden | ApiErrorCode::FeatureDisabled | ApiErrorCode::InsufficientQuota => 403,
            ApiErrorCode::JobNotFound
            | ApiErrorCode::UploadNotFound
            | ApiErrorCode::WebhookNotFound
            | ApiErrorCode::ListingNotFound
            | ApiErrorCode::ShareLinkNotFound
            | ApiErrorCode::NotFound => 404,
            ApiErrorCode::ShareLinkGone => 410,
            ApiErrorCode::MethodNotAllowed => 405,
            ApiErrorCode::JobInProgress
            | ApiErrorCode::UploadConflict
            | ApiErrorCode::ListingConflict
            | ApiErrorCode::LegalHold => 409,
            ApiErrorCode::UnsupportedVersion => 412,
            ApiErrorCode::UploadTooLarge => 413,
            ApiErrorCode::UnsupportedMediaType => 415,
            ApiErrorCode::RateLimited => 429,
            ApiErrorCode::InternalError => 500,
        }
    }

    /// The message where no more specific one applies.
    #[must_use]
    pub(crate) const fn default_message(self) -> &'static str {
        match self {
            ApiErrorCode::ValidationError => "The request is not valid",
            ApiErrorCode::InvalidUrl => "The supplied URL is not accessible",
            ApiErrorCode::Unauthorized => "Invalid or missing API key",
            ApiErrorCode::Forbidden => "Insufficient permissions",
            ApiErrorCode::FeatureDisabled => "This endpoint is not enabled for the organization",
            ApiErrorCode::InsufficientQuota => "Usage quota exceeded",
            ApiErrorCode::JobNotFound => "The job does not exist",
            ApiErrorCode::UploadNotFound => "The upload does not exist, or has expired",
            ApiErrorCode::WebhookNotFound => "The webhook, or its delivery, does not exist",
            ApiErrorCode::ListingNotFound => "The listing does not exist",
            ApiErrorCode::ShareLinkNotFound => "The share link does not exist",
            ApiErrorCode::ShareLinkGone => "The share link has expired or was revoked; ask for a new one",
            ApiErrorCode::NotFound => "This path does not exist",
            ApiErrorCode::MethodNotAllowed => "This path does not support this method",
            ApiErrorCode::JobInProgress => "A job for this resource is already running",
            ApiErrorCode::UploadConflict => "The upload does not continue where it ends",
            ApiErrorCode::UnsupportedVersion => "This version of the upload protocol is not supported",
            ApiErrorCode::UploadTooLarge => "The file is larger than an upload may be",
            ApiErrorCode::UnsupportedMediaType => "The Content-Type is not the one that the request needs",
            ApiErrorCode::ListingConflict => "Another listing has this reference",
            ApiErrorCode::LegalHold => "The page is under legal hold and was not erased",
            ApiErrorCode::RateLimited => "Too many requests",
            ApiErrorCode::InternalError => "Unexpected server error",
        }
    }
}
