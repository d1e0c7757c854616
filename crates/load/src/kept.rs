//! Millions of jobs that have ended, with their bills, and a queue of a chosen length.

use crate::jobs::{ORGANIZATIONS, organization_sql};
use crate::server::Server;

/// Days over which the kept jobs were submitted.
const DAYS: u64 = 30;

/// Creates the organizations, and this many kept jobs of them in an empty database. Triggers are off meanwhile, and indexes are
/// built at the end, so that a million jobs take seconds; counts are set to what the triggers would have counted.
pub async fn fill(server: &Server, jobs: u64) {
    let organization = organization_sql("n");
    server
        .run(&format!(
            "INSERT INTO organizations (id, name, plan, created_at)
             SELECT {organization}, 'Organization ' || n, CASE WHEN n % 10 = 0 THEN 'enterprise' ELSE 'starter' END, 0
             FROM generate_series(1, {ORGANIZATIONS}) AS n;
             SET maintenance_work_mem = '512MB'"
        ))
        .await;
    let indexes = drop_indexes(server).await;
    // The tables are emptied in the transaction that fills them, so that their rows are not written to the log first.
    server
        .run(&format!(
            "BEGIN;
             ALTER TABLE jobs DISABLE TRIGGER USER;
             TRUNCATE jobs, usage_events;
             {}
             INSERT INTO usage_events (id, org_id, job_id, event_type, unit_price_cents, created_at)
             SELECT id, org_id, id, job_type, unit_price_cents, completed_at FROM jobs WHERE status = 'completed';
             ALTER TABLE jobs ENABLE TRIGGER USER;
             INSERT INTO job_counts (org_id, job_type, status, jobs)
                 SELECT org_id, job_type, status, count(*) FROM jobs GROUP BY 1, 2, 3;
             INSERT INTO quota_use (org_id, month, jobs)
                 SELECT org_id, to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM'), count(*)
                 FROM jobs WHERE status = 'completed' GROUP BY 1, 2;
             COMMIT",
            kept_jobs(jobs)
        ))
        .await;
    for index in indexes {
        server.run(&index).await;
    }
    server.run("VACUUM ANALYZE").await;
    server.run("CHECKPOINT").await;
}

/// The statement that inserts kept jobs: of every 40, one failed.
fn kept_jobs(jobs: u64) -> String {
    let (organization, spacing) = (organization_sql("org"), DAYS * 86_400_000 / jobs.max(1));
    format!(
        "INSERT INTO jobs (id, org_id, job_type, status, input, input_media, output, media, unit_price_cents, request_id,
             attempt, runs, listing, created_at, updated_at, completed_at)
         SELECT id, org_id, kind, CASE WHEN n / 1000 % 40 = 0 THEN 'failed' ELSE 'completed' END,
             '{{\"image_url\":\"https://photos.example.com/listings/' || id || '/front-of-the-house.jpg\",\"options\":'
                 '{{\"listing_id\":\"listing-' || n / 20 || '\",\"preset\":\"natural\"}}}}',
             '{{\"/image_url\":\"' || org_id || '/' || id || '/input/0\"}}',
             '{{\"height\":\"3024\",\"report\":\"exposure raised, verticals straightened\",\"warnings\":[],\"width\":\"4032\"}}',
             '{{\"/image_url\":\"' || org_id || '/' || id || '/1/enhanced.jpg\"}}',
             100, id, 1, 1, CASE WHEN n % 5 = 0 THEN '\"listing-' || n / 20 || '\"' END, at, at + 5000,
             CASE WHEN n / 1000 % 40 <> 0 THEN at + 5000 END
         FROM (SELECT n, at, {organization} AS org_id,
                   (lpad(to_hex(at), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid AS id,
                   CASE WHEN pick < 14 THEN 'image_enhance' WHEN pick < 17 THEN 'virtual_staging'
                        WHEN pick < 19 THEN 'video_clip' ELSE 'drone_footage' END AS kind
               FROM (SELECT n, (n + n / 1000 * 7) % 20 AS pick, md5(n::text) AS hash, 1 + n * 7919 % {ORGANIZATIONS} AS org,
                         (extract(epoch FROM now()) * 1000)::bigint - ({jobs} - n) * {spacing} AS at
                     FROM generate_series(1::bigint, {jobs}::bigint) AS n) AS numbers) AS made;"
    )
}

/// Drops the indexes of the large tables; returns the statements that build them.
async fn drop_indexes(server: &Server) -> Vec<String> {
    let constraints = "SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
                           format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
                       FROM pg_constraint WHERE conrelid IN ('jobs'::regclass, 'usage_events'::regclass) AND contype IN ('p', 'u')";
    let indexes = "SELECT pg_get_indexdef(indexrelid), format('DROP INDEX %s', indexrelid::regclass)
                   FROM pg_index WHERE indrelid IN ('jobs'::regclass, 'usage_events'::regclass)";
    let mut build = Vec::new();
    for query in [constraints, indexes] {
        for row in server.rows(query).await {
            server.run(row.get(1)).await;
            build.push(row.get(0));
        }
    }
    build
}

/// Sets the number of queued jobs of the thousand organizations: the newest are deleted, or some are added.
pub async fn set_queue(server: &Server, jobs: u64) {
    let organization = organization_sql("1 + n * 7919 % 1000");
    server
        .run(&format!(
            "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE status = 'queued' ORDER BY id OFFSET {jobs});
             INSERT INTO jobs (id, org_id, job_type, status, input, input_media, unit_price_cents, request_id, created_at, updated_at)
             SELECT (lpad(to_hex(at), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid,
                 {organization}, CASE WHEN pick < 14 THEN 'image_enhance' WHEN pick < 17 THEN 'virtual_staging'
                     WHEN pick < 19 THEN 'video_clip' ELSE 'drone_footage' END, 'queued',
                 '{{\"image_url\":\"https://photos.example.com/listings/' || hash || '/front-of-the-house.jpg\",\"options\":'
                     '{{\"preset\":\"natural\",\"prompt\":\"brighter, straight verticals\"}}}}',
                 '{{\"/image_url\":\"' || hash || '/input/0\"}}', 100, gen_random_uuid(), at, at
             FROM (SELECT n, (n + n / 1000 * 7) % 20 AS pick, now_ms(NULL) AS at, md5(n::text || clock_timestamp()) AS hash
                   FROM generate_series(1, {jobs} - (SELECT count(*) FROM jobs WHERE status = 'queued')) AS n) AS missing"
        ))
        .await;
}
