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
