-- Statements of the last binary of schema version 1, for `postgres_upgrade`. Each follows its name.

-- find key
SELECT api_keys.id, organizations.id, name, plan, disabled, monthly_quota, prices, reject_duplicates, keep_days
FROM api_keys JOIN organizations ON organizations.id = org_id
WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now_ms($2))

-- lock organization
SELECT monthly_quota, reject_duplicates, now_ms($2) FROM organizations WHERE id = $1 FOR NO KEY UPDATE

-- find answer
SELECT digest, job_id, status, data FROM answers
WHERE org_id = $1 AND route = $2 AND key = $3 AND created_at > now_ms($4) - $5

-- count queued
SELECT coalesce(sum(jobs), 0)::bigint FROM job_counts WHERE org_id = $1 AND status = 'queued'

-- insert job
INSERT INTO jobs (id, org_id, job_type, status, input, unit_price_cents, request_id, created_at,
    updated_at, input_media, parent_id, listing)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11)

-- reserve quota
INSERT INTO quota_use AS used (org_id, month, jobs) VALUES ($1, $2, 1)
ON CONFLICT (org_id, month) DO UPDATE SET jobs = used.jobs + 1

-- delete expired answers
DELETE FROM answers WHERE (org_id, route, key) IN
    (SELECT org_id, route, key FROM answers WHERE created_at <= $1 ORDER BY created_at LIMIT 8 FOR UPDATE SKIP LOCKED)

-- record answer
INSERT INTO answers AS known (org_id, route, key, digest, job_id, status, data, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (org_id, route, key) DO UPDATE SET digest = excluded.digest, job_id = excluded.job_id,
    status = excluded.status, data = excluded.data, created_at = excluded.created_at
    WHERE known.created_at <= $9

-- turns
SELECT org_id, job_type, lost, exhausted FROM (
    SELECT next.served, next.kind_served, next.org_id, next.job_type, NULL::uuid AS lost, false AS exhausted
    FROM unnest($3::text[]) AS kind, LATERAL (
        SELECT served, kind_served, org_id, job_type FROM job_counts WHERE waiting AND job_type = kind
        ORDER BY served, kind_served, org_id LIMIT 8) AS next
    UNION ALL
    SELECT coalesce(served, 0), coalesce(kind_served, 0), lost.org_id, lost.job_type, lost.id, lost.runs >= $4
    FROM (SELECT id, org_id, job_type, runs FROM jobs
          WHERE jobs.status = 'running' AND (lease_expires_at <= now_ms($1) OR lease_expires_at > now_ms($1) + $2)
              AND (job_type = ANY ($3::text[]) OR runs >= $4)
          ORDER BY lease_expires_at LIMIT 256) AS lost
    LEFT JOIN job_counts ON job_counts.org_id = lost.org_id AND job_counts.job_type = lost.job_type
        AND job_counts.status = 'queued') AS turns
ORDER BY served, kind_served, lost NULLS LAST, org_id

-- take
WITH next AS MATERIALIZED (
    SELECT id FROM jobs WHERE $2::bigint > 0 AND org_id = $3 AND job_type = $4 AND status = 'queued'
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED),
turn AS MATERIALIZED (SELECT nextval('claims') AS claim FROM next),
queues AS MATERIALIZED (
    SELECT job_type FROM job_counts WHERE org_id = $3 AND status = 'queued' AND EXISTS (SELECT FROM turn)
    ORDER BY job_type FOR NO KEY UPDATE),
took AS (
    UPDATE job_counts SET served = turn.claim,
        kind_served = CASE WHEN job_counts.job_type = $4 THEN turn.claim ELSE kind_served END
    FROM queues, turn
    WHERE job_counts.org_id = $3 AND job_counts.job_type = queues.job_type AND job_counts.status = 'queued')
UPDATE jobs SET status = 'running', attempt = attempt + 1, runs = runs + 1, worker = $5,
    lease_expires_at = now_ms($1) + $6,
    updated_at = CASE WHEN status = 'queued' THEN now_ms($1) ELSE updated_at END
FROM next WHERE jobs.id = next.id
RETURNING jobs.id, jobs.org_id, jobs.job_type, jobs.status, input, output, media, unit_price_cents, request_id, attempt,
    created_at, updated_at, completed_at, input_media, parent_id, annotation, notes, expired_at, runs

-- heartbeat
UPDATE jobs SET lease_expires_at = now_ms($4) + $5 WHERE id = $1 AND worker = $2 AND attempt = $3 AND status = 'running'

-- complete
UPDATE jobs SET status = $4, output = $5, media = $6, notes = $7, worker = NULL, lease_expires_at = NULL,
    updated_at = $8, completed_at = $9
WHERE id = $1 AND worker = $2 AND attempt = $3 AND status = 'running' RETURNING org_id, job_type, unit_price_cents

-- bill
INSERT INTO usage_events (id, org_id, job_id, event_type, unit_price_cents, created_at) VALUES ($1, $2, $3, $4, $5, $6)

-- fail
UPDATE jobs SET status = 'failed', output = $4, worker = NULL, lease_expires_at = NULL, updated_at = $5
WHERE id = $1 AND worker = $2 AND attempt = $3 AND status = 'running' RETURNING org_id, created_at

-- release quota
UPDATE quota_use SET jobs = jobs - 1 WHERE org_id = $1 AND month = $2 AND jobs > 0

-- record failure
INSERT INTO failed_jobs AS failed (org_id, day, jobs) VALUES ($1, $2, 1)
ON CONFLICT (org_id) DO UPDATE SET day = excluded.day,
    jobs = CASE WHEN failed.day = excluded.day THEN failed.jobs + 1 ELSE 1 END

-- get
SELECT jobs.id, jobs.org_id, jobs.job_type, jobs.status, input, output, media, unit_price_cents, request_id, attempt,
    created_at, updated_at, completed_at, input_media, parent_id, annotation, notes, expired_at
FROM jobs WHERE id = $1

-- list
SELECT jobs.id, jobs.org_id, jobs.job_type, jobs.status, input, output, media, unit_price_cents, request_id, attempt,
    created_at, updated_at, completed_at, input_media, parent_id, annotation, notes, expired_at
FROM jobs WHERE org_id = $3 ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2

-- usage
SELECT id, job_id, event_type, unit_price_cents, created_at FROM usage_events
WHERE org_id = $1 AND created_at >= $2 AND (created_at, id) < ($3, $4)
ORDER BY created_at DESC, id DESC LIMIT $5

-- oldest queued
SELECT counted.job_type, min(head.created_at) FROM job_counts AS counted, LATERAL (
    SELECT created_at FROM jobs
    WHERE org_id = counted.org_id AND job_type = counted.job_type AND status = 'queued'
    ORDER BY created_at, id LIMIT 1) AS head
WHERE counted.waiting GROUP BY counted.job_type

-- acquire duty
INSERT INTO duties AS held (name, holder, expires_at) VALUES ($1, $2, now_ms($3) + $4)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
    WHERE held.holder = $2 OR held.expires_at <= now_ms($3) OR held.expires_at > now_ms($3) + $4
