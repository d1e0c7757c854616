-- Properties with their photos (JSON, in order), the jobs that make media for them, and the uploads that their photos are: an upload
-- with a row here does not expire.
CREATE TABLE listings (
    id            uuid PRIMARY KEY,
    org_id        uuid NOT NULL REFERENCES organizations (id),
    reference     text,
    address       text,
    style_prompt  text,
    photos        text NOT NULL,
    photo_count   bigint NOT NULL,
    created_at    bigint NOT NULL,
    updated_at    bigint NOT NULL
);
CREATE UNIQUE INDEX listings_reference ON listings (org_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX listings_newest_of_organization ON listings (org_id, created_at DESC, id DESC);
CREATE TABLE listing_jobs (
    job_id      uuid PRIMARY KEY,
    listing_id  uuid NOT NULL,
    photo_id    text
);
CREATE INDEX listing_jobs_newest ON listing_jobs (listing_id, job_id DESC);
CREATE TABLE listing_uploads (
    upload_id   uuid NOT NULL,
    listing_id  uuid NOT NULL,
    PRIMARY KEY (upload_id, listing_id)
);
