-- For tests of upgrades: what a binary of the version before works with.
CREATE TABLE job_stars (job_id uuid PRIMARY KEY, stars bigint NOT NULL);

CREATE OR REPLACE FUNCTION now_ms(given bigint) RETURNS bigint LANGUAGE sql STABLE AS
    $$ SELECT CASE WHEN given IS NULL THEN (extract(epoch FROM statement_timestamp()) * 1000)::bigint ELSE given END $$;

-- Last, because requests use the table.
ALTER TABLE jobs ADD COLUMN stars bigint NOT NULL DEFAULT 0;
