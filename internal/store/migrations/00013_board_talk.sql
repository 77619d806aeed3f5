-- Conversations of agents with people.

-- +goose Up
CREATE TABLE conversations (
    id         TEXT   NOT NULL PRIMARY KEY,
    agent_id   TEXT   NOT NULL REFERENCES agents (id),
    human_id   TEXT   NOT NULL REFERENCES humans (id),
    task_id    TEXT   REFERENCES tasks (id),
    status     TEXT   NOT NULL CHECK (status IN ('pending', 'open', 'closed', 'blocked')),
    unanswered BIGINT NOT NULL, -- messages of the agent since the person's last
    messages   BIGINT NOT NULL,
    agent_read BIGINT NOT NULL,
    human_read BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL
);
CREATE UNIQUE INDEX conversations_pair ON conversations (agent_id, human_id) WHERE task_id IS NULL;
CREATE UNIQUE INDEX conversations_task ON conversations (task_id, human_id) WHERE task_id IS NOT NULL;
CREATE INDEX conversations_agent ON conversations (agent_id, updated_ms, id);
CREATE INDEX conversations_human ON conversations (human_id, updated_ms, id);

CREATE TABLE messages (
    id              TEXT   NOT NULL PRIMARY KEY,
    conversation_id TEXT   NOT NULL REFERENCES conversations (id),
    seq             BIGINT NOT NULL,
    sender          TEXT   NOT NULL CHECK (sender IN ('agent', 'human', 'system')),
    body            TEXT   NOT NULL,
    uploads         TEXT   NOT NULL, -- JSON
    created_ms      BIGINT NOT NULL,
    UNIQUE (conversation_id, seq)
);

-- +goose Down
DROP TABLE messages;
DROP TABLE conversations;
