-- When a person works, by the day of the week: without a row at any time. Hours that
-- end before they begin go on into the next day.

-- +goose Up
CREATE TABLE human_hours (
    human_id TEXT   NOT NULL REFERENCES humans (id),
    weekday  BIGINT NOT NULL CHECK (weekday BETWEEN 0 AND 6), -- 0 is Sunday
    from_min BIGINT NOT NULL CHECK (from_min BETWEEN 0 AND 1439), -- minutes after midnight in Japan
    to_min   BIGINT NOT NULL CHECK (to_min BETWEEN 0 AND 1440),
    PRIMARY KEY (human_id, weekday)
);

-- +goose Down
DROP TABLE human_hours;
