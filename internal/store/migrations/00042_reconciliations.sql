-- What the comparison of ledger, tasks and payments found, one row for each run
-- that found something new or found that it is gone.

-- +goose Up
CREATE TABLE reconciliations (
    id       TEXT   NOT NULL PRIMARY KEY,
    at_ms    BIGINT NOT NULL,
    findings TEXT   NOT NULL -- JSON list of texts with ids and amounts, no names
);
CREATE INDEX reconciliations_newest ON reconciliations (at_ms, id);

-- +goose Down
DROP TABLE reconciliations;
