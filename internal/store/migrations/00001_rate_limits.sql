-- What each key of internal/ratelimit has used: its theoretical arrival time in
-- nanoseconds since 1970. A row whose time is past means the same as no row.

-- +goose Up
CREATE TABLE rate_limits (
    limit_key TEXT   NOT NULL PRIMARY KEY,
    tat_ns    BIGINT NOT NULL
);
CREATE INDEX rate_limits_tat ON rate_limits (tat_ns);

-- +goose Down
DROP TABLE rate_limits;
