-- What is owed to whom (double entry: the entries of a transaction sum to zero),
-- what the provider was asked to move, what agents spent today, and the answers
-- that a retry gets.

-- +goose Up
CREATE TABLE ledger_transactions (
    tx_key     TEXT   NOT NULL PRIMARY KEY, -- nothing is posted twice
    kind       TEXT   NOT NULL,
    task_id    TEXT   NOT NULL REFERENCES tasks (id),
    created_ms BIGINT NOT NULL
);
CREATE INDEX ledger_transactions_task ON ledger_transactions (task_id);

CREATE TABLE ledger_entries (
    tx_key     TEXT   NOT NULL REFERENCES ledger_transactions (tx_key),
    line       BIGINT NOT NULL,
    account    TEXT   NOT NULL,
    currency   TEXT   NOT NULL CHECK (currency IN ('USD', 'JPY')),
    minor      BIGINT NOT NULL CHECK (minor <> 0),
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (tx_key, line)
);
CREATE INDEX ledger_entries_account ON ledger_entries (account, created_ms, tx_key, line);

CREATE TABLE transfers (
    transfer_key TEXT   NOT NULL PRIMARY KEY,
    of_key       TEXT   NOT NULL,
    kind         TEXT   NOT NULL CHECK (kind IN ('fund', 'refund', 'pay_out')),
    task_id      TEXT   NOT NULL REFERENCES tasks (id),
    party        TEXT   NOT NULL,
    minor        BIGINT NOT NULL CHECK (minor > 0),
    currency     TEXT   NOT NULL CHECK (currency IN ('USD', 'JPY')),
    status       TEXT   NOT NULL CHECK (status IN ('started', 'done', 'void')),
    created_ms   BIGINT NOT NULL,
    updated_ms   BIGINT NOT NULL
);
CREATE INDEX transfers_status ON transfers (status, created_ms);
CREATE INDEX transfers_task ON transfers (task_id, kind);

CREATE TABLE spending (
    payer    TEXT   NOT NULL, -- agent:ID or key:ID
    day      BIGINT NOT NULL, -- days since 1970, UTC
    currency TEXT   NOT NULL CHECK (currency IN ('USD', 'JPY')),
    minor    BIGINT NOT NULL CHECK (minor >= 0),
    PRIMARY KEY (payer, day, currency)
);

CREATE TABLE request_keys (
    principal  TEXT   NOT NULL,
    operation  TEXT   NOT NULL,
    req_key    TEXT   NOT NULL,
    hash       TEXT   NOT NULL,
    result     TEXT   NOT NULL, -- JSON, without secrets
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (principal, operation, req_key)
);
CREATE INDEX request_keys_age ON request_keys (created_ms);

-- +goose Down
DROP TABLE request_keys;
DROP TABLE spending;
DROP TABLE transfers;
DROP TABLE ledger_entries;
DROP TABLE ledger_transactions;
