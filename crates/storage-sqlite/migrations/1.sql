CREATE TABLE organizations (
    id                  TEXT PRIMARY KEY,
    name                TEXT NOT NULL,
    created_at          INTEGER NOT NULL,
    plan                TEXT NOT NULL DEFAULT 'enterprise',
    disabled            TEXT NOT NULL DEFAULT '[]',
    monthly_quota       INTEGER,
    prices              TEXT NOT NULL DEFAULT '{}',
    reject_duplicates   INTEGER NOT NULL DEFAULT 0,
    keep_days           INTEGER,
    disclosure_profile  TEXT,
    truth_pages         INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE api_keys (
    id          TEXT PRIMARY KEY,
    org_id      TEXT NOT NULL REFERENCES organizations (id),
    hash        BLOB NOT NULL UNIQUE,
    hint        TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    revoked_at  INTEGER,
    scopes      TEXT NOT NULL DEFAULT 'read,generate,usage',
    expires_at  INTEGER
) STRICT;

-- Times are milliseconds since 1970, UTC. `attempt` counts claims and fences; `runs` counts those that count against
-- the limit. `lease_expires_at` is set while the job is running: past it, any worker may claim the job. `input_media`: our copies
-- of the pictures that the input links to. `parent_id`: the markup of a markup video. `annotation`: the request body that completed
-- a markup. `notes`: internal data of an engine, for itself and for child jobs. `listing`: groups the photos of one property.
-- `expired_at`: when the media were deleted because of their age; the row stays. `pack`: the published pack that the last run read.
CREATE TABLE jobs (
    id                TEXT PRIMARY KEY,
    org_id            TEXT NOT NULL REFERENCES organizations (id),
    job_type          TEXT NOT NULL,
    status            TEXT NOT NULL,
    input             TEXT NOT NULL,
    output            TEXT NOT NULL DEFAULT '{}',
    media             TEXT NOT NULL DEFAULT '{}',
    unit_price_cents  INTEGER NOT NULL,
    request_id        TEXT NOT NULL,
    attempt           INTEGER NOT NULL DEFAULT 0,
    runs              INTEGER NOT NULL DEFAULT 0,
    worker            TEXT,
    lease_expires_at  INTEGER,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    completed_at      INTEGER,
    input_media       TEXT NOT NULL DEFAULT '{}',
    parent_id         TEXT,
    annotation        TEXT,
    notes             TEXT NOT NULL DEFAULT '{}',
    listing           TEXT AS (json_extract(input, '$.options.listing_id')) VIRTUAL,
    expired_at        INTEGER,
    pack              TEXT
) STRICT;
-- One index for each frequent query: a page of an organization; the active children of a markup; the photos of a listing; expired
-- leases; the queue of an organization and kind, and a page of one state; a page of all organizations; jobs that are old enough to
-- expire; an operator's list of the failed jobs of all organizations, which are few among many.
CREATE INDEX jobs_newest_of_organization ON jobs (org_id, created_at DESC, id DESC);
CREATE INDEX jobs_active_of_parent ON jobs (parent_id)
    WHERE parent_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX jobs_of_listing ON jobs (org_id, listing, job_type, created_at, id) WHERE listing IS NOT NULL;
CREATE INDEX jobs_leased ON jobs (lease_expires_at) WHERE status = 'running';
CREATE INDEX jobs_newest_of_state ON jobs (org_id, job_type, status, created_at DESC, id DESC);
CREATE INDEX jobs_newest ON jobs (created_at DESC, id DESC);
CREATE INDEX jobs_to_expire ON jobs (org_id, updated_at)
    WHERE expired_at IS NULL AND status IN ('awaiting_input', 'completed', 'failed');
CREATE INDEX jobs_failed ON jobs (created_at DESC, id DESC) WHERE status = 'failed';

-- No foreign key to jobs: a bill outlives the job.
CREATE TABLE usage_events (
    id                TEXT PRIMARY KEY,
    org_id            TEXT NOT NULL REFERENCES organizations (id),
    job_id            TEXT NOT NULL UNIQUE,
    event_type        TEXT NOT NULL,
    unit_price_cents  INTEGER NOT NULL,
    created_at        INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_newest_of_organization ON usage_events (org_id, created_at DESC, id DESC);

-- Number of jobs that count against the quota of the UTC month (YYYY-MM) they were submitted in: all but failed ones.
-- Counted for every organization, so that a quota set in mid-month applies to the whole month.
CREATE TABLE quota_use (
    org_id  TEXT NOT NULL REFERENCES organizations (id),
    month   TEXT NOT NULL,
    jobs    INTEGER NOT NULL,
    PRIMARY KEY (org_id, month)
) STRICT, WITHOUT ROWID;

-- Number of jobs that failed in the organization's last UTC day with a failure (YYYY-MM-DD).
CREATE TABLE failed_jobs (
    org_id  TEXT PRIMARY KEY REFERENCES organizations (id),
    day     TEXT NOT NULL,
    jobs    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Answers to requests with an Idempotency-Key: the submitted job, or status and payload.
CREATE TABLE answers (
    org_id      TEXT NOT NULL REFERENCES organizations (id),
    route       TEXT NOT NULL,
    key         TEXT NOT NULL,
    digest      BLOB NOT NULL,
    job_id      TEXT,
    status      INTEGER,
    data        TEXT,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (org_id, route, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_oldest ON answers (created_at);

-- Number of jobs by organization, kind and status, updated by triggers: counting costs the same for any number of jobs. The rows with
-- the status `queued` are the turns of organizations (`turns.rs`): `served` is the organization's position in the line, and
-- `kind_served` the number of its last claim of the kind. Numbers of claims are 1000 apart.
CREATE TABLE job_counts (
    org_id       TEXT NOT NULL,
    job_type     TEXT NOT NULL,
    status       TEXT NOT NULL,
    jobs         INTEGER NOT NULL,
    served       INTEGER NOT NULL DEFAULT 0,
    kind_served  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (org_id, job_type, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_counts_waiting ON job_counts (job_type, served, kind_served, org_id)
    WHERE status = 'queued' AND jobs > 0;
CREATE TABLE turns (claims INTEGER NOT NULL) STRICT;
INSERT INTO turns VALUES (0);
-- An organization whose queue was empty joins the line at its front, and not before it.
CREATE TRIGGER jobs_counted_in AFTER INSERT ON jobs BEGIN
    INSERT INTO job_counts (org_id, job_type, status, jobs, served)
        VALUES (new.org_id, new.job_type, new.status, 1, max(
            coalesce((SELECT max(served) FROM job_counts WHERE org_id = new.org_id AND status = 'queued'), 0),
            coalesce((SELECT served FROM job_counts
                WHERE status = 'queued' AND jobs > 0 AND job_type = new.job_type ORDER BY served LIMIT 1), 0)))
        ON CONFLICT DO UPDATE SET jobs = jobs + 1, served = iif(jobs > 0 OR status <> 'queued', served, max(served,
            coalesce((SELECT served FROM job_counts
                WHERE status = 'queued' AND jobs > 0 AND job_type = new.job_type ORDER BY served LIMIT 1), 0)));
END;
CREATE TRIGGER jobs_counted_over AFTER UPDATE OF status ON jobs WHEN new.status <> old.status BEGIN
    UPDATE job_counts SET jobs = jobs - 1
        WHERE org_id = old.org_id AND job_type = old.job_type AND status = old.status;
    INSERT INTO job_counts (org_id, job_type, status, jobs) VALUES (new.org_id, new.job_type, new.status, 1)
        ON CONFLICT DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER jobs_counted_out AFTER DELETE ON jobs BEGIN
    UPDATE job_counts SET jobs = jobs - 1
        WHERE org_id = old.org_id AND job_type = old.job_type AND status = old.status;
END;

-- Time spent in engine stages, over all workers and restarts.
CREATE TABLE engine_time (
    job_type      TEXT NOT NULL,
    stage         TEXT NOT NULL,
    runs          INTEGER NOT NULL,
    milliseconds  INTEGER NOT NULL,
    PRIMARY KEY (job_type, stage)
) STRICT, WITHOUT ROWID;

-- Work that one process does at a time.
CREATE TABLE duties (
    name        TEXT PRIMARY KEY,
    holder      TEXT NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Secrets that all processes share, such as the one that signs links to media.
CREATE TABLE secrets (
    name        TEXT PRIMARY KEY,
    value       BLOB NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Jobs whose media are to be looked at from `due_at` on, because some may not be needed.
CREATE TABLE leftovers (
    job_id  TEXT PRIMARY KEY,
    org_id  TEXT NOT NULL,
    due_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX leftovers_oldest ON leftovers (due_at);

-- The servers and workers that use the database. `name` of a worker is `worker` of its jobs; `kinds` are separated by commas. `pack`:
-- the published pack that a worker used last.
CREATE TABLE nodes (
    name        TEXT PRIMARY KEY,
    role        TEXT NOT NULL,
    version     TEXT NOT NULL,
    kinds       TEXT NOT NULL,
    host        TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    seen_at     INTEGER NOT NULL,
    pack        TEXT
) STRICT, WITHOUT ROWID;

-- Published packs. `sha256` is that of `manifest`, whose files are media under `pack/`. A pack has a row from before its first
-- file is stored until after its last one is deleted (`removed_at`: since when it is being removed). Workers use the pack with
-- `current_since`, and their data folders if there is none.
CREATE TABLE packs (
    sha256         TEXT PRIMARY KEY,
    manifest       TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    published_at   INTEGER,
    current_since  INTEGER,
    removed_at     INTEGER
) STRICT;
CREATE INDEX packs_current ON packs (current_since) WHERE current_since IS NOT NULL;

-- Photos that clients upload. The files are media under `ORGANIZATION/STORED_AS`: `parts` (JSON) until the upload is complete,
-- then one file, which equal uploads of an organization share.
CREATE TABLE uploads (
    id          TEXT PRIMARY KEY,
    org_id      TEXT NOT NULL REFERENCES organizations (id),
    size        INTEGER NOT NULL,
    name        TEXT,
    parts       TEXT NOT NULL DEFAULT '[]',
    stored_as   TEXT NOT NULL,
    sha256      BLOB,
    extension   TEXT,
    width       INTEGER,
    height      INTEGER,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX uploads_equal ON uploads (org_id, sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX uploads_incomplete ON uploads (org_id) WHERE sha256 IS NULL;
CREATE INDEX uploads_stored_as ON uploads (stored_as);
CREATE INDEX uploads_oldest ON uploads (expires_at);

-- Bytes of uploads by UTC month (YYYY-MM).
CREATE TABLE upload_use (
    org_id  TEXT NOT NULL REFERENCES organizations (id),
    month   TEXT NOT NULL,
    bytes   INTEGER NOT NULL,
    PRIMARY KEY (org_id, month)
) STRICT, WITHOUT ROWID;

-- Properties with their photos (JSON, in order), the jobs that make media for them, and the uploads that their photos are: an upload
-- with a row here does not expire.
CREATE TABLE listings (
    id            TEXT PRIMARY KEY,
    org_id        TEXT NOT NULL REFERENCES organizations (id),
    reference     TEXT,
    address       TEXT,
    style_prompt  TEXT,
    photos        TEXT NOT NULL,
    photo_count   INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX listings_reference ON listings (org_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX listings_newest_of_organization ON listings (org_id, created_at DESC, id DESC);
CREATE TABLE listing_jobs (
    job_id      TEXT PRIMARY KEY,
    listing_id  TEXT NOT NULL,
    photo_id    TEXT
) STRICT;
CREATE INDEX listing_jobs_newest ON listing_jobs (listing_id, job_id DESC);
CREATE TABLE listing_uploads (
    upload_id   TEXT NOT NULL,
    listing_id  TEXT NOT NULL,
    PRIMARY KEY (upload_id, listing_id)
) STRICT, WITHOUT ROWID;

-- Links that show a listing to whoever has their token, and what these viewers say: a decision on a photo, of which a link has one for
-- each photo, or a comment.
CREATE TABLE share_links (
    id              TEXT PRIMARY KEY,
    org_id          TEXT NOT NULL REFERENCES organizations (id),
    listing_id      TEXT NOT NULL,
    token_hash      BLOB NOT NULL UNIQUE,
    name            TEXT,
    show_address    INTEGER NOT NULL,
    allow_approval  INTEGER NOT NULL,
    allow_comments  INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    revoked_at      INTEGER
) STRICT;
CREATE INDEX share_links_of_listing ON share_links (listing_id, id DESC);
CREATE TABLE reviews (
    id             TEXT PRIMARY KEY,
    share_link_id  TEXT NOT NULL,
    listing_id     TEXT NOT NULL,
    photo_id       TEXT,
    decision       TEXT,
    comment        TEXT,
    name           TEXT,
    created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX reviews_of_link ON reviews (share_link_id, id DESC);
CREATE INDEX reviews_of_listing ON reviews (listing_id, id DESC);
CREATE UNIQUE INDEX reviews_decision ON reviews (share_link_id, photo_id) WHERE decision IS NOT NULL;

-- What happens to jobs, and what viewers of share links say: with `review`, the identifiers (JSON) of `listing.reviewed`, and without a
-- job. A client continues after the event that it saw last.
CREATE TABLE events (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    org_id    TEXT NOT NULL REFERENCES organizations (id),
    job_id    TEXT NOT NULL,
    job_type  TEXT NOT NULL,
    status    TEXT NOT NULL,
    at        INTEGER NOT NULL,
    review    TEXT
) STRICT;
CREATE INDEX events_of_organization ON events (org_id, id);

-- How far running jobs are: percent of a stage.
CREATE TABLE job_progress (
    job_id    TEXT PRIMARY KEY,
    org_id    TEXT NOT NULL REFERENCES organizations (id),
    job_type  TEXT NOT NULL,
    stage     TEXT NOT NULL,
    percent   INTEGER NOT NULL,
    at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX job_progress_newest ON job_progress (org_id, at DESC);

-- Endpoints that receive the types of events in `events` (JSON). `failing_since`: the first failure since the last success.
CREATE TABLE webhooks (
    id                TEXT PRIMARY KEY,
    org_id            TEXT NOT NULL REFERENCES organizations (id),
    url               TEXT NOT NULL,
    events            TEXT NOT NULL,
    description       TEXT,
    secret            BLOB NOT NULL,
    old_secret        BLOB,
    old_secret_until  INTEGER,
    created_at        INTEGER NOT NULL,
    disabled_at       INTEGER,
    disabled_because  TEXT,
    failing_since     INTEGER
) STRICT;
CREATE INDEX webhooks_of_organization ON webhooks (org_id, id);

-- What is sent to them: with `next_at` until it is delivered or has failed.
CREATE TABLE webhook_deliveries (
    id               TEXT PRIMARY KEY,
    webhook_id       TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event            TEXT NOT NULL,
    job_id           TEXT,
    job_type         TEXT,
    at               INTEGER NOT NULL,
    next_at          INTEGER,
    delivered        INTEGER NOT NULL DEFAULT 0,
    attempts         INTEGER NOT NULL DEFAULT 0,
    last_at          INTEGER,
    last_status      INTEGER,
    last_error       TEXT,
    last_took        INTEGER,
    last_gone        INTEGER,
    review           TEXT
) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, at DESC, id DESC);
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (at);

CREATE TRIGGER jobs_told_in AFTER INSERT ON jobs BEGIN
    INSERT INTO events (org_id, job_id, job_type, status, at)
        VALUES (new.org_id, new.id, new.job_type, new.status, new.updated_at);
END;
CREATE TRIGGER jobs_told_over AFTER UPDATE OF status ON jobs WHEN new.status <> old.status BEGIN
    INSERT INTO events (org_id, job_id, job_type, status, at)
        VALUES (new.org_id, new.id, new.job_type, new.status, new.updated_at);
    DELETE FROM job_progress WHERE job_id = new.id;
END;
CREATE TRIGGER jobs_told_out AFTER DELETE ON jobs BEGIN
    DELETE FROM job_progress WHERE job_id = old.id;
END;
CREATE TRIGGER reviews_told AFTER INSERT ON reviews BEGIN
    INSERT INTO events (org_id, job_id, job_type, status, at, review)
        SELECT org_id, '', '', '', new.created_at, json_object('listing_id', new.listing_id,
            'share_link_id', new.share_link_id, 'review_id', new.id, 'photo_id', new.photo_id)
        FROM share_links WHERE id = new.share_link_id;
END;
CREATE TRIGGER events_sent AFTER INSERT ON events BEGIN
    INSERT INTO webhook_deliveries (id, webhook_id, event, job_id, job_type, at, next_at, review)
        SELECT substr(random, 1, 8) || '-' || substr(random, 9, 4) || '-4' || substr(random, 14, 3) || '-8'
                || substr(random, 18, 3) || '-' || substr(random, 21),
            id, kind, nullif(new.job_id, ''), nullif(new.job_type, ''), new.at, new.at, new.review
        FROM (SELECT id, events, lower(hex(randomblob(16))) AS random,
                  iif(new.review IS NULL, 'job.' || new.status, 'listing.reviewed') AS kind
              FROM webhooks WHERE org_id = new.org_id AND disabled_at IS NULL)
        WHERE instr(events, '"' || kind || '"') > 0;
END;

-- Public pages that show an altered picture beside its original. `facts` (JSON) is what a page says and `files` (JSON) what it shows:
-- media under `ORGANIZATION/PAGE`, which are kept until the page is erased.
CREATE TABLE truth_pages (
    id          TEXT PRIMARY KEY,
    org_id      TEXT NOT NULL REFERENCES organizations (id),
    job_id      TEXT NOT NULL,
    code        TEXT NOT NULL,
    facts       TEXT NOT NULL,
    files       TEXT NOT NULL,
    bytes       INTEGER NOT NULL,
    indexable   INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER,
    erased_at   INTEGER,
    held_at     INTEGER
) STRICT;
CREATE UNIQUE INDEX truth_pages_code ON truth_pages (code);
CREATE UNIQUE INDEX truth_pages_shown ON truth_pages (job_id) WHERE revoked_at IS NULL;
CREATE INDEX truth_pages_of_job ON truth_pages (job_id, created_at DESC);
CREATE INDEX truth_pages_of_organization ON truth_pages (org_id, created_at DESC, id DESC);
CREATE INDEX truth_pages_oldest ON truth_pages (expires_at) WHERE erased_at IS NULL AND held_at IS NULL;

-- Sessions of the console, by the hash of their token.
CREATE TABLE sessions (
    id          BLOB PRIMARY KEY,
    key_hash    BLOB NOT NULL REFERENCES api_keys (hash),
    started_at  INTEGER NOT NULL,
    used_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_oldest ON sessions (used_at);

-- Keys of operators, and sessions of their console, by the hash of their token.
CREATE TABLE operator_keys (
    id          TEXT PRIMARY KEY,
    hash        BLOB NOT NULL UNIQUE,
    name        TEXT NOT NULL,
    hint        TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER
) STRICT;
CREATE TABLE operator_sessions (
    id          BLOB PRIMARY KEY,
    key_hash    BLOB NOT NULL REFERENCES operator_keys (hash),
    started_at  INTEGER NOT NULL,
    used_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_sessions_oldest ON operator_sessions (used_at);
