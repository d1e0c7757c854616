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

-- What is sent to them: with `next_at` until it is delivered or has failed.
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
    last_gone    boolean
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, at DESC, id DESC);
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (at);

-- Called by the triggers that count jobs. A migration from another database copies jobs, to which nothing happens.
CREATE FUNCTION job_told(org uuid, job uuid, kind text, state text, told_at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM aerie.migration WHERE finished_at IS NULL) THEN
        RETURN;
    END IF;
    INSERT INTO aerie.events (org_id, job_id, job_type, status, at) VALUES (org, job, kind, state, told_at);
    INSERT INTO aerie.webhook_deliveries (id, webhook_id, event, job_id, job_type, at, next_at)
        SELECT gen_random_uuid(), id, 'job.' || state, job, kind, told_at, told_at
        FROM aerie.webhooks
        WHERE org_id = org AND disabled_at IS NULL AND strpos(events, '"job.' || state || '"') > 0;
END $$;

CREATE OR REPLACE FUNCTION jobs_counted() RETURNS trigger LANGUAGE plpgsql AS $$
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
