-- Times are milliseconds since 1970, UTC, from `now_ms`.
CREATE TABLE organizations (
    id                 uuid PRIMARY KEY,
    name               text NOT NULL,
    plan               text NOT NULL,
    disabled           text NOT NULL DEFAULT '[]',
    monthly_quota      bigint,
    prices             text NOT NULL DEFAULT '{}',
    reject_duplicates  boolean NOT NULL DEFAULT false,
    keep_days          bigint,
    created_at         bigint NOT NULL
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

-- `attempt` counts claims and fences; `runs` counts those that count against the limit. `lease_expires_at` is set while the
-- job is running: past it, any worker may claim the job. JSON is text, because `jsonb` changes numbers and rejects \u0000.
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
    expired_at        bigint
) WITH (fillfactor = 85);
-- One index for each frequent query: a page of an organization, of one state, of all; the next job of a turn; the jobs that
-- run (few, and not by the end of the lease, so that a heartbeat changes no index); an active job with the same input; the
-- active children of a markup; the photos of a listing; jobs that are old enough to expire.
CREATE INDEX jobs_newest_of_organization ON jobs (org_id, created_at DESC, id DESC);
CREATE INDEX jobs_newest_of_state ON jobs (org_id, job_type, status, created_at DESC, id DESC);
CREATE INDEX jobs_newest ON jobs (created_at DESC, id DESC);
CREATE INDEX jobs_queued ON jobs (org_id, job_type, created_at, id) WHERE status = 'queued';
CREATE INDEX jobs_running ON jobs (id) WHERE status = 'running';
CREATE INDEX jobs_of_same_input ON jobs (org_id, job_type, hashtextextended(input, 0))
    WHERE status IN ('queued', 'running');
CREATE INDEX jobs_active_of_parent ON jobs (parent_id)
    WHERE parent_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX jobs_of_listing ON jobs (org_id, listing, job_type, created_at, id) WHERE listing IS NOT NULL;
CREATE INDEX jobs_to_expire ON jobs (org_id, updated_at)
    WHERE expired_at IS NULL AND status IN ('awaiting_input', 'completed', 'failed');

-- Number of jobs by organization, kind and status, updated by triggers. The rows with the status `queued` are the turns:
-- the number of the organization's last claim (`served`), and of its last claim of the kind. `waiting` changes only when a
-- queue becomes empty or not, so that counting changes no index.
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
CREATE SEQUENCE claims;

CREATE FUNCTION jobs_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The earlier status first: statuses only advance, so no two transactions wait for each other.
    IF TG_OP <> 'INSERT' THEN
        UPDATE aerie.job_counts SET jobs = jobs - 1
            WHERE org_id = OLD.org_id AND job_type = OLD.job_type AND status = OLD.status;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO aerie.job_counts AS counted (org_id, job_type, status, jobs, served)
            VALUES (NEW.org_id, NEW.job_type, NEW.status, 1, CASE WHEN NEW.status = 'queued' THEN coalesce(
                (SELECT max(served) FROM aerie.job_counts WHERE org_id = NEW.org_id AND status = 'queued'), 0) ELSE 0 END)
            ON CONFLICT (org_id, job_type, status) DO UPDATE SET jobs = counted.jobs + 1;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER jobs_counted_in AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION jobs_counted();
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
