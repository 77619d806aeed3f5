-- What internal/board/simulated was asked to move, for boards without real money.

-- +goose Up
CREATE TABLE simulated_transfers (
    transfer_key TEXT   NOT NULL PRIMARY KEY,
    number       BIGINT NOT NULL UNIQUE, -- in the order of the calls
    kind         TEXT   NOT NULL CHECK (kind IN ('fund', 'refund', 'pay_out')),
    of_key       TEXT   NOT NULL,
    party        TEXT   NOT NULL,
    minor        BIGINT NOT NULL CHECK (minor > 0),
    currency     TEXT   NOT NULL
);
CREATE INDEX simulated_transfers_of ON simulated_transfers (of_key) WHERE kind = 'refund';

-- +goose Down
DROP TABLE simulated_transfers;
