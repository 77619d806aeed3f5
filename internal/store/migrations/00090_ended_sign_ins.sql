-- Sign-ins of requesters that ended before their time, of internal/board/data. Such a
-- sign-in is a signed text and in no table itself.

-- +goose Up
CREATE TABLE ended_sign_ins (
    mac        TEXT   NOT NULL PRIMARY KEY,
    expires_ms BIGINT NOT NULL -- when it would have ended
);

-- +goose Down
DROP TABLE ended_sign_ins;
