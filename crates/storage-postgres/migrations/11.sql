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
