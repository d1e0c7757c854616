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

-- The published pack that a worker used last.
ALTER TABLE nodes ADD COLUMN pack text;

-- The published pack that the job's last run read. Last, because requests use the table.
ALTER TABLE jobs ADD COLUMN pack text;
