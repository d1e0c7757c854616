-- Sessions of the console, by the hash of their token.
CREATE TABLE sessions (
    id          bytea PRIMARY KEY,
    key_hash    bytea NOT NULL REFERENCES api_keys (hash),
    started_at  bigint NOT NULL,
    used_at     bigint NOT NULL
);
CREATE INDEX sessions_oldest ON sessions (used_at);
