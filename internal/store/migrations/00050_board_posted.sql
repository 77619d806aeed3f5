-- What a task was posted with: another budget may be agreed with an applicant, and
-- holds until that person gives the task back.

-- +goose Up
ALTER TABLE tasks ADD COLUMN posted_minor BIGINT NOT NULL DEFAULT 0;
UPDATE tasks SET posted_minor = budget_minor;

-- +goose Down
ALTER TABLE tasks DROP COLUMN posted_minor;
