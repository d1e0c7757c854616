-- Times are milliseconds since 1970, UTC, from `now_ms`.
CREATE TABLE organizations (
    id                  uuid PRIMARY KEY,
    name                text NOT NULL,
    plan                text NOT NULL,
    disabled            text NOT NULL DEFAULT '[]',
    monthly_quota       bigint,
    prices              text NOT NULL DEFAULT '{}',
    reject_duplicates   boolean NOT NULL DEFAULT false,
    keep_days           bigint,
    created_at          bigint NOT NULL,
    disclosure_profile  text,
    truth_pages         boolean NOT NULL DEFAULT false
);

CREATE TABLE api_keys (
    id          uuid PRIMARY KEY,
    org_id      uuid NOT NULL REFERENCES organizations (id),
    hash        bytea NOT NULL UNIQUE,
    hint        text NOT NULL,
    scopes      text NOT NULL,
    created_at  bigint NOT NULL,
    expires_at  bigint,
    revoked_at  bigint
);
CREATE INDEX api_keys_of_organization ON api_keys (org_id);

-- The time in milliseconds: the given one, in tests only, or that of this server.
CREATE FUNCTION now_ms(given bigint) RETURNS bigint LANGUAGE sql STABLE AS
    $$ SELECT coalesce(given, (extract(epoch FROM statement_timestamp()) * 1000)::bigint) $$;

-- The time in milliseconds, as `now_ms`, but when it is called rather than when the statement began: what waits for a lock
-- needs the time after it.
CREATE FUNCTION clock_ms(given bigint) RETURNS bigint LANGUAGE sql VOLATILE AS
    $$ SELECT coalesce(given, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) $$;

-- `attempt` counts claims and fences; `runs` counts those that count against the limit. `lease_expires_at` is set while the
-- job is running: past it, any worker may claim the job. `pack`: the published pack that the job's last run read. JSON is
-- text, because `jsonb` changes numbers and rejects \u0000.
--
-- No table that every job changes has a foreign key to `organizations`: its check locks the organization's row, which
-- submits lock too. Organizations are never deleted.
CREATE TABLE jobs (
    id                uuid PRIMARY KEY,
    org_id            uuid NOT NULL,
    job_type          text NOT NULL,
    status            text NOT NULL,
    input             text NOT NULL,
    input_media       text NOT NULL,
    output            text NOT NULL DEFAULT '{}',
    media             text NOT NULL DEFAULT '{}',
    notes             text NOT NULL DEFAULT '{}',
    listing           text,
    parent_id         uuid,
    annotation        text,
    unit_price_cents  bigint NOT NULL,
    request_id        uuid NOT NULL,
    attempt           bigint NOT NULL DEFAULT 0,
    runs              bigint NOT NULL DEFAULT 0,
    worker            text,
    lease_expires_at  bigint,
    created_at        bigint NOT NULL,
    updated_at        bigint NOT NULL,
    completed_at      bigint,
    expired_at        bigint,
    pack              text
) WITH (fillfactor = 85);
-- One index for each frequent query: a page of an organization, of one state, of all; the jobs that run (few, and not by the
-- end of the lease, so that a heartbeat changes no index); an active job with the same input; the active children of a markup; the
-- photos of a listing; jobs that are old enough to expire; the next job of a turn; an operator's list of the failed jobs of all
-- organizations, which are few among many.
CREATE INDEX jobs_newest_of_organization ON jobs (org_id, created_at DESC, id DESC);
CREATE INDEX jobs_newest_of_state ON jobs (org_id, job_type, status, created_at DESC, id DESC);
CREATE INDEX jobs_newest ON jobs (created_at DESC, id DESC);
CREATE INDEX jobs_running ON jobs (id) WHERE status = 'running';
CREATE INDEX jobs_of_same_input ON jobs (org_id, job_type, hashtextextended(input, 0))
    WHERE status IN ('queued', 'running');
CREATE INDEX jobs_active_of_parent ON jobs (parent_id)
    WHERE parent_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX jobs_of_listing ON jobs (org_id, listing, job_type, created_at, id) WHERE listing IS NOT NULL;
CREATE INDEX jobs_to_expire ON jobs (org_id, updated_at)
    WHERE expired_at IS NULL AND status IN ('awaiting_input', 'completed', 'failed');
-- No other index has this order of NULLs, though there are none: where the statistics are older than a backlog that has been worked off,
-- the planner would read that of all jobs from its oldest end.
CREATE INDEX jobs_next ON jobs (org_id, job_type, created_at NULLS FIRST, id NULLS FIRST) WHERE status = 'queued';
CREATE INDEX jobs_failed ON jobs (created_at DESC, id DESC) WHERE status = 'failed';

-- Number of jobs by organization, kind and status, updated by triggers. The rows with the status `queued` are the turns:
-- the position of the organization in the line (`served`), and the number of its last claim of the kind. `waiting` changes only when
-- a queue becomes empty or not, so that counting changes no index.
CREATE TABLE job_counts (
    org_id       uuid NOT NULL,
    job_type     text NOT NULL,
    status       text NOT NULL,
    jobs         bigint NOT NULL,
    served       bigint NOT NULL DEFAULT 0,
    kind_served  bigint NOT NULL DEFAULT 0,
    waiting      boolean NOT NULL GENERATED ALWAYS AS (status = 'queued' AND jobs > 0) STORED,
    PRIMARY KEY (org_id, job_type, status)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX job_counts_waiting ON job_counts (job_type, served, kind_served, org_id) WHERE waiting;
-- The numbers of claims are 1000 apart: see STEP in `aerie_storage::backend::turns`.
CREATE SEQUENCE claims INCREMENT BY 1000;

-- Called by the triggers that count jobs.
CREATE FUNCTION job_told(org uuid, job uuid, kind text, state text, told_at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO aerie.events (org_id, job_id, job_type, status, at) VALUES (org, job, kind, state, told_at);
    INSERT INTO aerie.webhook_deliveries (id, webhook_id, event, job_id, job_type, at, next_at)
        SELECT gen_random_uuid(), id, 'job.' || state, job, kind, told_at, told_at
        FROM aerie.webhooks
        WHERE org_id = org AND disabled_at IS NULL AND strpos(events, '"job.' || state || '"') > 0;
END $$;

CREATE FUNCTION jobs_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The earlier status first: statuses only advance, so no two transactions wait for each other.
    IF TG_OP <> 'INSERT' THEN
        UPDATE aerie.job_counts SET jobs = jobs - 1
            WHERE org_id = OLD.org_id AND job_type = OLD.job_type AND status = OLD.status;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO aerie.job_counts AS counted (org_id, job_type, status, jobs, served)
            VALUES (NEW.org_id, NEW.job_type, NEW.status, 1, CASE WHEN NEW.status = 'queued' THEN coalesce(greatest(
                (SELECT max(served) FROM aerie.job_counts WHERE org_id = NEW.org_id AND status = 'queued'),
                (SELECT min(served) FROM aerie.job_counts WHERE waiting AND job_type = NEW.job_type)), 0) ELSE 0 END)
            -- One whose queue was empty joins the line at its front, and not before it.
            ON CONFLICT (org_id, job_type, status) DO UPDATE SET jobs = counted.jobs + 1, served = CASE
                WHEN counted.jobs > 0 OR counted.status <> 'queued' THEN counted.served
                ELSE greatest(counted.served,
                    (SELECT min(served) FROM aerie.job_counts WHERE waiting AND job_type = NEW.job_type)) END;
        PERFORM aerie.job_told(NEW.org_id, NEW.id, NEW.job_type, NEW.status, NEW.updated_at);
    END IF;
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM aerie.job_progress WHERE job_id = OLD.id;
    END IF;
    RETURN NULL;
END $$;
-- A migration from another database (`aerie migrate`) copies jobs, to which nothing happens, and counts them itself.
CREATE TRIGGER jobs_counted_in AFTER INSERT ON jobs FOR EACH ROW
    WHEN (current_setting('aerie.migration', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION jobs_counted();
CREATE TRIGGER jobs_counted_over AFTER UPDATE OF status ON jobs FOR EACH ROW
    WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION jobs_counted();
CREATE TRIGGER jobs_counted_out AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION jobs_counted();

-- A bill outlives the job.
CREATE TABLE usage_events (
    id                uuid PRIMARY KEY,
    org_id            uuid NOT NULL,
    job_id            uuid NOT NULL UNIQUE,
    event_type        text NOT NULL,
    unit_price_cents  bigint NOT NULL,
    created_at        bigint NOT NULL
);
CREATE INDEX usage_newest_of_organization ON usage_events (org_id, created_at DESC, id DESC);

-- Number of jobs that count against the quota of the UTC month (YYYY-MM) they were submitted in: all but failed ones.
CREATE TABLE quota_use (
    org_id  uuid NOT NULL,
    month   text NOT NULL,
    jobs    bigint NOT NULL,
    PRIMARY KEY (org_id, month)
) WITH (fillfactor = 50);

-- Number of jobs that failed in the organization's last UTC day with a failure (YYYY-MM-DD).
CREATE TABLE failed_jobs (
    org_id  uuid PRIMARY KEY,
    day     text NOT NULL,
    jobs    bigint NOT NULL
) WITH (fillfactor = 50);

-- Answers to requests with an Idempotency-Key: the submitted job, or status and payload.
CREATE TABLE answers (
    org_id      uuid NOT NULL,
    route       text NOT NULL,
    key         text NOT NULL,
    digest      bytea NOT NULL,
    job_id      uuid,
    status      bigint,
    data        text,
    created_at  bigint NOT NULL,
    PRIMARY KEY (org_id, route, key)
);
CREATE INDEX answers_oldest ON answers (created_at);

-- Time spent in engine stages, over all workers and restarts.
CREATE TABLE engine_time (
    job_type      text NOT NULL,
    stage         text NOT NULL,
    runs          bigint NOT NULL,
    milliseconds  bigint NOT NULL,
    PRIMARY KEY (job_type, stage)
) WITH (fillfactor = 50);

-- Work that one process does at a time.
CREATE TABLE duties (
    name        text PRIMARY KEY,
    holder      text NOT NULL,
    expires_at  bigint NOT NULL
) WITH (fillfactor = 50);

-- Secrets that all processes share, such as the one that signs links to media.
CREATE TABLE secrets (
    name        text PRIMARY KEY,
    value       bytea NOT NULL,
    created_at  bigint NOT NULL
);

-- Jobs whose media are to be looked at from `due_at` on, because some may not be needed.
CREATE TABLE leftovers (
    job_id  uuid PRIMARY KEY,
    org_id  uuid NOT NULL,
    due_at  bigint NOT NULL
);
CREATE INDEX leftovers_oldest ON leftovers (due_at);

-- The API nodes and workers that use the database. `name` of a worker is `worker` of its jobs. `pack`: the published pack that
-- a worker used last.
CREATE TABLE nodes (
    name        text PRIMARY KEY,
    role        text NOT NULL,
    version     text NOT NULL,
    kinds       text[] NOT NULL,
    host        text NOT NULL,
    started_at  bigint NOT NULL,
    seen_at     bigint NOT NULL,
    pack        text
) WITH (fillfactor = 50);

-- Admitted requests by key, numbered: those of the last minute, and the last one. Each has the number of the oldest request of
-- the minute that it ended, and the count of its UTC day (days since 1970) up to it.
CREATE TABLE key_requests (
    key_id  uuid NOT NULL,
    number  bigint NOT NULL,
    at      bigint NOT NULL,
    oldest  bigint NOT NULL,
    day     bigint NOT NULL,
    of_day  bigint NOT NULL,
    PRIMARY KEY (key_id, number)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);

-- Admits and counts a request of a key, or refuses it. Requests of a key wait for each other, so that the times in a key's
-- rows never decrease.
--
-- A request does not wait until its count is on disk: a crash of the server loses the counts of less than its last second.
-- No write that was acknowledged is among these requests, because it is written to disk after the count of its request.
CREATE FUNCTION request_admit(
    key uuid, per_minute bigint, per_day bigint, given bigint,
    OUT is_admitted boolean, OUT counted_at bigint, OUT in_minute bigint, OUT in_day bigint, OUT frees_with bigint
) LANGUAGE plpgsql
    -- The index is right, whatever the statistics say: they may be those of an empty table.
    SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
DECLARE
    last aerie.key_requests;
    first bigint;
    today bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(uuid_hash_extended(key, 0));
    counted_at := aerie.clock_ms(given);
    today := counted_at / 86400000;
    SELECT * INTO last FROM aerie.key_requests AS r WHERE r.key_id = key ORDER BY r.number DESC LIMIT 1;
    IF last.at > counted_at THEN
        -- The clock was set back: earlier requests count for a minute from now.
        UPDATE aerie.key_requests AS r SET at = least(r.at, counted_at) WHERE r.key_id = key AND r.number >= last.oldest;
    END IF;
    SELECT r.number, r.at INTO first, frees_with FROM aerie.key_requests AS r
        WHERE r.key_id = key AND r.number >= last.oldest AND r.at > counted_at - 60000 ORDER BY r.number LIMIT 1;
    first := coalesce(first, last.number + 1, 0);
    in_minute := coalesce(last.number + 1, 0) - first;
    in_day := CASE WHEN last.day = today THEN last.of_day ELSE 0 END;
    is_admitted := in_minute < per_minute AND in_day < per_day;
    IF is_admitted THEN
        PERFORM set_config('synchronous_commit', 'off', true);
        in_minute := in_minute + 1;
        in_day := in_day + 1;
        frees_with := coalesce(frees_with, counted_at);
        INSERT INTO aerie.key_requests VALUES (key, first + in_minute - 1, counted_at, first, today, in_day);
        IF last.oldest < first THEN
            DELETE FROM aerie.key_requests AS r WHERE r.key_id = key AND r.number >= last.oldest AND r.number < first;
        END IF;
    END IF;
    IF in_minute > greatest(per_minute, 1) THEN
        -- After a change to a smaller plan, more than one request has to leave the minute.
        SELECT r.at INTO frees_with FROM aerie.key_requests AS r
            WHERE r.key_id = key AND r.number = first + in_minute - greatest(per_minute, 1);
    END IF;
END $$;

-- Time in microseconds until which each network that tried bad keys is in debt. A crash of the server empties the table.
CREATE UNLOGGED TABLE bad_keys (
    network     text PRIMARY KEY,
    debt_until  bigint NOT NULL
) WITH (fillfactor = 50);

-- Published packs. `sha256` is that of `manifest`, whose files are media under `pack/`. A pack has a row from before its first
-- file is stored until after its last one is deleted (`removed_at`: since when it is being removed). Workers use the pack with
-- `current_since`, and their data folders if there is none.
CREATE TABLE packs (
    sha256         text PRIMARY KEY,
    manifest       text NOT NULL,
    created_at     bigint NOT NULL,
    published_at   bigint,
    current_since  bigint,
    removed_at     bigint
);
CREATE UNIQUE INDEX packs_current ON packs ((true)) WHERE current_since IS NOT NULL;

-- Photos that clients upload. The files are media under `ORGANIZATION/STORED_AS`: `parts` (JSON) until the upload is complete,
-- then one file, which equal uploads of an organization share.
CREATE TABLE uploads (
    id          uuid PRIMARY KEY,
    org_id      uuid NOT NULL REFERENCES organizations (id),
    size        bigint NOT NULL,
    name        text,
    parts       text NOT NULL,
    stored_as   uuid NOT NULL,
    sha256      bytea,
    extension   text,
    width       bigint,
    height      bigint,
    created_at  bigint NOT NULL,
    expires_at  bigint NOT NULL
);
CREATE INDEX uploads_equal ON uploads (org_id, sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX uploads_incomplete ON uploads (org_id) WHERE sha256 IS NULL;
CREATE INDEX uploads_stored_as ON uploads (stored_as);
CREATE INDEX uploads_oldest ON uploads (expires_at);

-- Bytes of uploads by UTC month (YYYY-MM).
CREATE TABLE upload_use (
    org_id  uuid NOT NULL REFERENCES organizations (id),
    month   text NOT NULL,
    bytes   bigint NOT NULL,
    PRIMARY KEY (org_id, month)
);

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

-- Links that show a listing to whoever has their token, and what these viewers say: a decision on a photo, of which a link has one for
-- each photo, or a comment.
CREATE TABLE share_links (
    id              uuid PRIMARY KEY,
    org_id          uuid NOT NULL REFERENCES organizations (id),
    listing_id      uuid NOT NULL,
    token_hash      bytea NOT NULL UNIQUE,
    name            text,
    show_address    boolean NOT NULL,
    allow_approval  boolean NOT NULL,
    allow_comments  boolean NOT NULL,
    created_at      bigint NOT NULL,
    expires_at      bigint NOT NULL,
    revoked_at      bigint
);
CREATE INDEX share_links_of_listing ON share_links (listing_id, id DESC);
CREATE TABLE reviews (
    id             uuid PRIMARY KEY,
    share_link_id  uuid NOT NULL,
    listing_id     uuid NOT NULL,
    photo_id       text,
    decision       text,
    comment        text,
    name           text,
    created_at     bigint NOT NULL
);
CREATE INDEX reviews_of_link ON reviews (share_link_id, id DESC);
CREATE INDEX reviews_of_listing ON reviews (listing_id, id DESC);
CREATE UNIQUE INDEX reviews_decision ON reviews (share_link_id, photo_id) WHERE decision IS NOT NULL;

-- What happens to jobs. A client continues after the event that it saw last. Numbers are not given in the order in which
-- transactions are committed: events are read in the order of their transactions, those before the oldest that is running.
CREATE TABLE events (
    number       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction  bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    org_id       uuid NOT NULL,
    job_id       uuid NOT NULL,
    job_type     text NOT NULL,
    status       text NOT NULL,
    at           bigint NOT NULL
);
CREATE INDEX events_of_organization ON events (org_id, transaction, number);

-- What viewers of share links say, for clients that follow it: the identifiers (JSON) of `listing.reviewed`. Rows are read in the same
-- order as `events`.
CREATE TABLE review_events (
    number       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction  bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    org_id       uuid NOT NULL,
    review       text NOT NULL,
    at           bigint NOT NULL
);
CREATE INDEX review_events_of_organization ON review_events (org_id, transaction, number);

-- How far running jobs are: percent of a stage. Lost in a crash of the server.
CREATE UNLOGGED TABLE job_progress (
    job_id    uuid PRIMARY KEY,
    org_id    uuid NOT NULL,
    job_type  text NOT NULL,
    stage     text NOT NULL,
    percent   bigint NOT NULL,
    at        bigint NOT NULL
);
CREATE INDEX job_progress_newest ON job_progress (org_id, at DESC);

-- Endpoints that receive the types of events in `events` (JSON). `failing_since`: the first failure since the last success.
CREATE TABLE webhooks (
    id                uuid PRIMARY KEY,
    org_id            uuid NOT NULL REFERENCES organizations (id),
    url               text NOT NULL,
    events            text NOT NULL,
    description       text,
    secret            bytea NOT NULL,
    old_secret        bytea,
    old_secret_until  bigint,
    created_at        bigint NOT NULL,
    disabled_at       bigint,
    disabled_because  text,
    failing_since     bigint
);
CREATE INDEX webhooks_of_organization ON webhooks (org_id, id);

-- What is sent to them: with `next_at` until it is delivered or has failed. `review`: the identifiers (JSON) of the review that it is
-- about.
CREATE TABLE webhook_deliveries (
    id           uuid PRIMARY KEY,
    webhook_id   uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event        text NOT NULL,
    job_id       uuid,
    job_type     text,
    at           bigint NOT NULL,
    next_at      bigint,
    delivered    boolean NOT NULL DEFAULT false,
    attempts     bigint NOT NULL DEFAULT 0,
    last_at      bigint,
    last_status  bigint,
    last_error   text,
    last_took    bigint,
    last_gone    boolean,
    review       text
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, at DESC, id DESC);
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (at);

CREATE FUNCTION review_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    org uuid;
    ids text;
BEGIN
    SELECT org_id INTO org FROM aerie.share_links WHERE id = NEW.share_link_id;
    ids := json_build_object('listing_id', NEW.listing_id, 'share_link_id', NEW.share_link_id, 'review_id', NEW.id,
        'photo_id', NEW.photo_id)::text;
    INSERT INTO aerie.review_events (org_id, review, at) VALUES (org, ids, NEW.created_at);
    INSERT INTO aerie.webhook_deliveries (id, webhook_id, event, review, at, next_at)
        SELECT gen_random_uuid(), id, 'listing.reviewed', ids, NEW.created_at, NEW.created_at
        FROM aerie.webhooks
        WHERE org_id = org AND disabled_at IS NULL AND strpos(events, '"listing.reviewed"') > 0;
    RETURN NULL;
END $$;
-- A migration from another database copies reviews, which nobody has just made.
CREATE TRIGGER reviews_told AFTER INSERT ON reviews FOR EACH ROW
    WHEN (current_setting('aerie.migration', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION review_told();

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

-- Sessions of the console, by the hash of their token.
CREATE TABLE sessions (
    id          bytea PRIMARY KEY,
    key_hash    bytea NOT NULL REFERENCES api_keys (hash),
    started_at  bigint NOT NULL,
    used_at     bigint NOT NULL
);
CREATE INDEX sessions_oldest ON sessions (used_at);

-- Keys of operators, and sessions of their console, by the hash of their token.
CREATE TABLE operator_keys (
    id          uuid PRIMARY KEY,
    hash        bytea NOT NULL UNIQUE,
    name        text NOT NULL,
    hint        text NOT NULL,
    created_at  bigint NOT NULL,
    expires_at  bigint,
    revoked_at  bigint
);
CREATE TABLE operator_sessions (
    id          bytea PRIMARY KEY,
    key_hash    bytea NOT NULL REFERENCES operator_keys (hash),
    started_at  bigint NOT NULL,
    used_at     bigint NOT NULL
);
CREATE INDEX operator_sessions_oldest ON operator_sessions (used_at);
