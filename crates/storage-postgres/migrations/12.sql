-- What viewers of share links say, for clients that follow it: the identifiers (JSON) of `listing.reviewed`. A table of its own, beside
-- `events`, because earlier binaries read a job from each row of that. Its rows are read in the same order.
CREATE TABLE review_events (
    number       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction  bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    org_id       uuid NOT NULL,
    review       text NOT NULL,
    at           bigint NOT NULL
);
CREATE INDEX review_events_of_organization ON review_events (org_id, transaction, number);

-- A migration from another database copies reviews, which nobody has just made.
CREATE FUNCTION review_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    org uuid;
    ids text;
BEGIN
    IF EXISTS (SELECT FROM aerie.migration WHERE finished_at IS NULL) THEN
        RETURN NULL;
    END IF;
    SELECT org_id INTO org FROM aerie.share_links WHERE id = NEW.share_link_id;
    ids := json_build_object('listing_id', NEW.listing_id, 'share_link_id', NEW.share_link_id, 'review_id', NEW.id,
        'photo_id', NEW.photo_id)::text;
    INSERT INTO aerie.review_events (org_id, review, at) VALUES (org, ids, NEW.created_at);
    INSERT INTO aerie.webhook_deliveries (id, webhook_id, event, review, at, next_at)
        SELECT gen_random_uuid(), id, 'listing.reviewed', ids, NEW.created_at, NEW.created_at
        FROM aerie.webhooks
        WHERE org_id = org AND disabled_at IS NULL AND strpos(events, '"listing.reviewed"') > 0;
    RETURN NULL;
END $$;

-- The identifiers of the review that a delivery is about.
ALTER TABLE webhook_deliveries ADD COLUMN review text;
CREATE TRIGGER reviews_told AFTER INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION review_told();
