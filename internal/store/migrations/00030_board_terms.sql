-- The terms of every assignment as they were agreed. Rows are never changed.

-- +goose Up
CREATE TABLE terms_sheets (
    task_id    TEXT   NOT NULL REFERENCES tasks (id),
    assignment BIGINT NOT NULL,
    human_id   TEXT   NOT NULL REFERENCES humans (id),
    body       TEXT   NOT NULL, -- JSON
    sha256     TEXT   NOT NULL, -- of the body
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (task_id, assignment)
);

-- +goose Down
DROP TABLE terms_sheets;
