-- From where codes are asked for, as keyed hashes of network addresses: a stranger must
-- not use up the codes of a person.

-- +goose Up
ALTER TABLE codes ADD COLUMN source TEXT NOT NULL DEFAULT '';

CREATE TABLE code_sources ( -- from where a code of a mailbox was entered before
    purpose TEXT   NOT NULL,
    email   TEXT   NOT NULL,
    source  TEXT   NOT NULL,
    used_ms BIGINT NOT NULL,
    PRIMARY KEY (purpose, email, source)
);
CREATE INDEX code_sources_used ON code_sources (used_ms);

-- +goose Down
DROP TABLE code_sources;
ALTER TABLE codes DROP COLUMN source;
