-- Jobs whose media are to be looked at from `due_at` on, because some may not be needed.
CREATE TABLE leftovers (
    job_id  uuid PRIMARY KEY,
    org_id  uuid NOT NULL,
    due_at  bigint NOT NULL
);
CREATE INDEX leftovers_oldest ON leftovers (due_at);

-- The API nodes and workers that use the database. `name` of a worker is `worker` of its jobs.
CREATE TABLE nodes (
    name        text PRIMARY KEY,
    role        text NOT NULL,
    version     text NOT NULL,
    kinds       text[] NOT NULL,
    host        text NOT NULL,
    started_at  bigint NOT NULL,
    seen_at     bigint NOT NULL
) WITH (fillfactor = 50);

-- The time in milliseconds, as `now_ms`, but when it is called rather than when the statement began: what waits for a lock
-- needs the time after it.
CREATE FUNCTION clock_ms(given bigint) RETURNS bigint LANGUAGE sql VOLATILE AS
    $$ SELECT coalesce(given, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) $$;

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

-- The migration of another database into this one (`aerie migrate`), if there was one: at most one row. Nothing else opens the
-- database until it is finished. The media of the jobs up to `media_verified` were copied to `media` and verified.
CREATE TABLE migration (
    one_row         boolean PRIMARY KEY DEFAULT true CHECK (one_row),
    started_at      bigint NOT NULL,
    finished_at     bigint,
    report          text,
    media           text,
    media_verified  uuid
);

-- `served` is now the position of an organization in the line. Version 1 joins it at the end after each claim, as an organization
-- with the weight 1 does; numbers from before this version keep their order.
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
    END IF;
    RETURN NULL;
END $$;

-- The numbers of claims are 1000 apart: see STEP in `aerie_storage::backend::turns`. Last, because claims wait until this is
-- committed.
ALTER SEQUENCE claims INCREMENT BY 1000;
