-- Mails that wait, were sent or were given up, of internal/board/notify. What a
-- mail says is forgotten when it has ended; the mailbox keeps letters of a board
-- that is tried out, and is empty otherwise.

-- +goose Up
CREATE TABLE mails (
    id            TEXT   NOT NULL PRIMARY KEY,
    reference     TEXT   NOT NULL, -- what it is about; a second mail of one reference is not kept
    owner_id      TEXT   NOT NULL DEFAULT '', -- the person or agent who gets it, for the digest
    address       TEXT   NOT NULL,
    lang          TEXT   NOT NULL,
    template      TEXT   NOT NULL,
    slots         TEXT   NOT NULL, -- JSON
    state         TEXT   NOT NULL CHECK (state IN ('waiting', 'digest', 'sent', 'failed')),
    not_before_ms BIGINT NOT NULL,
    created_ms    BIGINT NOT NULL,
    ended_ms      BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX mails_reference ON mails (reference);
CREATE INDEX mails_digest ON mails (owner_id, not_before_ms) WHERE state = 'digest';
CREATE INDEX mails_old ON mails (created_ms);

CREATE TABLE mailbox (
    id         TEXT   NOT NULL PRIMARY KEY,
    address    TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX mailbox_newest ON mailbox (created_ms, id);

-- +goose Down
DROP TABLE mailbox;
DROP TABLE mails;
