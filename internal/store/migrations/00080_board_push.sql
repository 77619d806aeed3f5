-- Browsers that take pushes for people, of internal/board/push. Without the board's key,
-- which is in no table, nothing can be pushed to them. A mail whose way fails goes to its
-- other address.

-- +goose Up
CREATE TABLE push_devices (
    id         TEXT   NOT NULL PRIMARY KEY,
    human_id   TEXT   NOT NULL REFERENCES humans (id),
    name       TEXT   NOT NULL, -- as the person knows it
    endpoint   TEXT   NOT NULL,
    p256dh     TEXT   NOT NULL, -- base64url
    auth       TEXT   NOT NULL, -- base64url
    created_ms BIGINT NOT NULL
);
CREATE UNIQUE INDEX push_devices_endpoint ON push_devices (endpoint);
CREATE INDEX push_devices_human ON push_devices (human_id, created_ms);

ALTER TABLE mails ADD COLUMN fallback TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE mails DROP COLUMN fallback;
DROP TABLE push_devices;
