-- What a requester says to have looked at before an approval, for clients that say it in
-- a request of its own.

-- +goose Up
CREATE TABLE review_checks (
    task_id      TEXT   NOT NULL PRIMARY KEY REFERENCES tasks (id),
    deliveries   BIGINT NOT NULL, -- of the task then: the last one was looked at
    checks       TEXT   NOT NULL, -- JSON
    note         TEXT   NOT NULL,
    at_ms        BIGINT NOT NULL
);

-- +goose Down
DROP TABLE review_checks;
