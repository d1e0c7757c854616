-- Links that show a listing to whoever has their token, and what these viewers say: a decision on a photo, of which a link has one for
-- each photo, or a comment.
CREATE TABLE share_links (
    id              uuid PRIMARY KEY,
    org_id          uuid NOT NULL REFERENCES organizations (id),
    listing_id      uuid NOT NULL,
    token_hash      bytea NOT NULL UNIQUE,
    name            text,
    show_address    boolean NOT NULL,
    allow_approval  boolean NOT NULL,
    allow_comments  boolean NOT NULL,
    created_at      bigint NOT NULL,
    expires_at      bigint NOT NULL,
    revoked_at      bigint
);
CREATE INDEX share_links_of_listing ON share_links (listing_id, id DESC);
CREATE TABLE reviews (
    id             uuid PRIMARY KEY,
    share_link_id  uuid NOT NULL,
    listing_id     uuid NOT NULL,
    photo_id       text,
    decision       text,
    comment        text,
    name           text,
    created_at     bigint NOT NULL
);
CREATE INDEX reviews_of_link ON reviews (share_link_id, id DESC);
CREATE INDEX reviews_of_listing ON reviews (listing_id, id DESC);
CREATE UNIQUE INDEX reviews_decision ON reviews (share_link_id, photo_id) WHERE decision IS NOT NULL;
