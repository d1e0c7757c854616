-- Public pages that show an altered picture beside its original. `facts` (JSON) is what a page says and `files` (JSON) what it shows:
-- media under `ORGANIZATION/PAGE`, which are kept until the page is erased.
CREATE TABLE truth_pages (
    id          uuid PRIMARY KEY,
    org_id      uuid NOT NULL REFERENCES organizations (id),
    job_id      uuid NOT NULL,
    code        text NOT NULL,
    facts       text NOT NULL,
    files       text NOT NULL,
    bytes       bigint NOT NULL,
    indexable   boolean NOT NULL,
    created_at  bigint NOT NULL,
    expires_at  bigint,
    revoked_at  bigint,
    erased_at   bigint,
    held_at     bigint
);
CREATE UNIQUE INDEX truth_pages_code ON truth_pages (code);
CREATE UNIQUE INDEX truth_pages_shown ON truth_pages (job_id) WHERE revoked_at IS NULL;
CREATE INDEX truth_pages_of_job ON truth_pages (job_id, created_at DESC);
CREATE INDEX truth_pages_of_organization ON truth_pages (org_id, created_at DESC, id DESC);
CREATE INDEX truth_pages_oldest ON truth_pages (expires_at) WHERE erased_at IS NULL AND held_at IS NULL;

-- What the organization discloses, and whether it publishes such pages.
ALTER TABLE organizations
    ADD COLUMN disclosure_profile text,
    ADD COLUMN truth_pages boolean NOT NULL DEFAULT false;
