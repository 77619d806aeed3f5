-- Where agents want to be told of events, and what was sent there. The secrets of
-- the signatures are in no table: internal/board/webhook derives them from the key
-- of the board, the id and the generation.

-- +goose Up
CREATE TABLE webhook_endpoints (
    id               TEXT   NOT NULL PRIMARY KEY,
    agent_id         TEXT   NOT NULL,
    url              TEXT   NOT NULL,
    events           TEXT   NOT NULL, -- JSON list of event types
    generation       BIGINT NOT NULL DEFAULT 1 CHECK (generation > 0),
    overlap_until_ms BIGINT NOT NULL DEFAULT 0, -- the secret of the generation before signs too until then
    failures         BIGINT NOT NULL DEFAULT 0, -- deliveries given up one after another
    disabled_reason  TEXT   NOT NULL DEFAULT '',
    created_ms       BIGINT NOT NULL
);
CREATE INDEX webhook_endpoints_agent ON webhook_endpoints (agent_id, id);

CREATE TABLE webhook_deliveries (
    id          TEXT   NOT NULL PRIMARY KEY,
    endpoint_id TEXT   NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event_id    TEXT   NOT NULL,
    event_type  TEXT   NOT NULL,
    body        TEXT   NOT NULL,
    again       BIGINT NOT NULL DEFAULT 0 CHECK (again IN (0, 1)), -- a replay
    state       TEXT   NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    created_ms  BIGINT NOT NULL,
    ended_ms    BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (endpoint_id, event_id) WHERE again = 0;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (endpoint_id, created_ms, id);
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (created_ms);

CREATE TABLE webhook_attempts (
    delivery_id TEXT   NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    at_ms       BIGINT NOT NULL,
    took_ms     BIGINT NOT NULL,
    status      BIGINT NOT NULL, -- of HTTP, 0 without an answer
    failure     TEXT   NOT NULL, -- a word, empty when it was delivered
    PRIMARY KEY (delivery_id, number)
);

-- +goose Down
DROP TABLE webhook_attempts;
DROP TABLE webhook_deliveries;
DROP TABLE webhook_endpoints;
