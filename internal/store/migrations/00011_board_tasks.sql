-- Tasks and everything that is about one. The states are those of the table in
-- internal/board/task; what it says of them is held here once more.

-- +goose Up
CREATE TABLE tasks (
    id                 TEXT   NOT NULL PRIMARY KEY,
    agent_id           TEXT   NOT NULL REFERENCES agents (id),
    key_id             TEXT   REFERENCES api_keys (id),
    client_ref         TEXT   NOT NULL,
    title              TEXT   NOT NULL,
    body               TEXT   NOT NULL,
    lang               TEXT   NOT NULL,
    label              TEXT   NOT NULL,
    origin_country     TEXT   NOT NULL,
    work_country       TEXT   NOT NULL,
    place              TEXT   NOT NULL,
    prefecture         TEXT   NOT NULL,
    city               TEXT   NOT NULL,
    exact_place        TEXT   NOT NULL,
    criteria           TEXT   NOT NULL,
    not_allowed        TEXT   NOT NULL,
    deliverable        TEXT   NOT NULL CHECK (deliverable IN ('photo', 'video', 'text')),
    evidence           TEXT   NOT NULL, -- JSON
    estimated_minutes  BIGINT NOT NULL,
    search             TEXT   NOT NULL, -- the texts, folded
    budget_minor       BIGINT NOT NULL CHECK (budget_minor > 0),
    currency           TEXT   NOT NULL CHECK (currency IN ('USD', 'JPY')),
    fee_bps            BIGINT NOT NULL CHECK (fee_bps BETWEEN 0 AND 10000),
    status             TEXT   NOT NULL CHECK (status IN ('open', 'accepted', 'review_pending', 'completed', 'failed')),
    sub_state          TEXT   NOT NULL CHECK (sub_state IN ('', 'held', 'awaiting_consent', 'revision_requested', 'appeal', 'disputed')),
    failure_reason     TEXT   NOT NULL,
    human_id           TEXT   REFERENCES humans (id),
    hold_class         TEXT   NOT NULL,
    hold_excerpt       TEXT   NOT NULL,
    review_code        TEXT   NOT NULL, -- of the last revision request or rejection
    review_text        TEXT   NOT NULL,
    version            BIGINT NOT NULL,
    assignments        BIGINT NOT NULL,
    revisions          BIGINT NOT NULL,
    fund_key           TEXT   NOT NULL, -- the transfer whose money is in escrow
    created_ms         BIGINT NOT NULL,
    updated_ms         BIGINT NOT NULL,
    deadline_ms        BIGINT NOT NULL,
    accepted_ms        BIGINT NOT NULL,
    submitted_ms       BIGINT NOT NULL,
    review_deadline_ms BIGINT NOT NULL,
    appeal_deadline_ms BIGINT NOT NULL,
    ended_ms           BIGINT NOT NULL,
    rate_until_ms      BIGINT NOT NULL,
    CHECK ((status = 'failed') = (failure_reason <> '')),
    CHECK (status NOT IN ('accepted', 'review_pending', 'completed') OR human_id IS NOT NULL),
    CHECK (status NOT IN ('accepted', 'review_pending') OR fund_key <> ''),
    CHECK (status <> 'open' OR (human_id IS NULL AND fund_key = '')),
    CHECK ((status IN ('completed', 'failed')) = (ended_ms > 0))
);
CREATE INDEX tasks_status ON tasks (status, created_ms, id);
CREATE INDEX tasks_created ON tasks (created_ms, id);
CREATE INDEX tasks_agent ON tasks (agent_id, created_ms, id);
CREATE INDEX tasks_agent_updated ON tasks (agent_id, updated_ms, id);
CREATE INDEX tasks_human ON tasks (human_id, created_ms, id);
CREATE INDEX tasks_area ON tasks (prefecture, created_ms, id) WHERE status = 'open';
CREATE INDEX tasks_held ON tasks (created_ms, id) WHERE sub_state = 'held';
CREATE INDEX tasks_disputed ON tasks (created_ms, id) WHERE sub_state = 'disputed';
CREATE UNIQUE INDEX tasks_client_ref ON tasks (agent_id, client_ref) WHERE client_ref <> '';
CREATE INDEX tasks_deadline ON tasks (deadline_ms) WHERE status IN ('open', 'accepted');
CREATE INDEX tasks_review_deadline ON tasks (review_deadline_ms) WHERE status = 'review_pending';
CREATE INDEX tasks_appeal_deadline ON tasks (appeal_deadline_ms) WHERE status = 'review_pending';

CREATE TABLE events (
    id           TEXT   NOT NULL PRIMARY KEY,
    agent_id     TEXT   NOT NULL REFERENCES agents (id),
    agent_seq    BIGINT NOT NULL, -- without gaps, in the order of commits
    type         TEXT   NOT NULL,
    task_id      TEXT   REFERENCES tasks (id),
    task_version BIGINT NOT NULL,
    task_status  TEXT   NOT NULL,
    actor_kind   TEXT   NOT NULL CHECK (actor_kind IN ('agent', 'human', 'operator', 'system')),
    actor_id     TEXT   NOT NULL,
    at_ms        BIGINT NOT NULL,
    data         TEXT   NOT NULL, -- JSON of ids
    UNIQUE (agent_id, agent_seq)
);
CREATE INDEX events_task ON events (task_id, task_version);
CREATE INDEX events_human ON events (actor_id, type) WHERE actor_kind = 'human';
CREATE INDEX events_type ON events (agent_id, type, at_ms);

CREATE TABLE offers (
    id         TEXT   NOT NULL PRIMARY KEY,
    task_id    TEXT   NOT NULL REFERENCES tasks (id),
    human_id   TEXT   NOT NULL REFERENCES humans (id),
    status     TEXT   NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'expired', 'withdrawn')),
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    UNIQUE (task_id, human_id) -- nobody is asked twice
);
CREATE UNIQUE INDEX offers_pending ON offers (task_id) WHERE status = 'pending';
CREATE INDEX offers_human ON offers (human_id, status);
CREATE INDEX offers_expiry ON offers (expires_ms) WHERE status = 'pending';

CREATE TABLE applications (
    id            TEXT   NOT NULL PRIMARY KEY,
    task_id       TEXT   NOT NULL REFERENCES tasks (id),
    human_id      TEXT   NOT NULL REFERENCES humans (id),
    status        TEXT   NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn')),
    cover_letter  TEXT   NOT NULL,
    availability  TEXT   NOT NULL,
    counter_minor BIGINT NOT NULL CHECK (counter_minor >= 0), -- 0 for none
    created_ms    BIGINT NOT NULL,
    answered_ms   BIGINT NOT NULL,
    UNIQUE (task_id, human_id)
);
CREATE UNIQUE INDEX applications_accepted ON applications (task_id) WHERE status = 'accepted';
CREATE INDEX applications_task ON applications (task_id, created_ms, id);
CREATE INDEX applications_human ON applications (human_id, created_ms, id);

CREATE TABLE submissions (
    id         TEXT    NOT NULL PRIMARY KEY,
    task_id    TEXT    NOT NULL REFERENCES tasks (id),
    human_id   TEXT    NOT NULL REFERENCES humans (id),
    round      BIGINT  NOT NULL,
    type       TEXT    NOT NULL CHECK (type IN ('photo', 'video', 'text')),
    body       TEXT    NOT NULL,
    late       BOOLEAN NOT NULL,
    created_ms BIGINT  NOT NULL,
    UNIQUE (task_id, round)
);
CREATE INDEX submissions_human ON submissions (human_id);

CREATE TABLE submission_items (
    submission_id TEXT    NOT NULL REFERENCES submissions (id),
    position      BIGINT  NOT NULL,
    kind          TEXT    NOT NULL CHECK (kind IN ('photo', 'video', 'text')),
    label         TEXT    NOT NULL,
    body          TEXT    NOT NULL,
    upload        TEXT    NOT NULL,
    sha256        TEXT    NOT NULL,
    mime          TEXT    NOT NULL,
    bytes         BIGINT  NOT NULL,
    captured_ms   BIGINT  NOT NULL,
    duplicate     BOOLEAN NOT NULL,
    PRIMARY KEY (submission_id, position)
);
CREATE INDEX submission_items_hash ON submission_items (sha256) WHERE sha256 <> '';
CREATE INDEX submission_items_upload ON submission_items (upload) WHERE upload <> '';

CREATE TABLE disputes (
    id           TEXT    NOT NULL PRIMARY KEY,
    task_id      TEXT    NOT NULL REFERENCES tasks (id),
    opener_kind  TEXT    NOT NULL CHECK (opener_kind IN ('agent', 'human')),
    opener_id    TEXT    NOT NULL,
    body         TEXT    NOT NULL,
    is_open      BOOLEAN NOT NULL,
    created_ms   BIGINT  NOT NULL,
    resolved_ms  BIGINT  NOT NULL,
    resolved_by  TEXT    NOT NULL,
    note         TEXT    NOT NULL,
    worker_minor BIGINT  NOT NULL
);
CREATE UNIQUE INDEX disputes_open ON disputes (task_id) WHERE is_open;
CREATE INDEX disputes_task ON disputes (task_id, created_ms);

CREATE TABLE reviews (
    task_id    TEXT   NOT NULL REFERENCES tasks (id),
    by_kind    TEXT   NOT NULL CHECK (by_kind IN ('agent', 'human')),
    about_id   TEXT   NOT NULL, -- the human or the agent
    stars      BIGINT NOT NULL CHECK (stars BETWEEN 1 AND 5),
    comment    TEXT   NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (task_id, by_kind)
);
CREATE INDEX reviews_about ON reviews (about_id);

CREATE TABLE reports (
    id         TEXT    NOT NULL PRIMARY KEY,
    by_kind    TEXT    NOT NULL CHECK (by_kind IN ('agent', 'human', 'operator', 'system')),
    by_id      TEXT    NOT NULL,
    task_id    TEXT    REFERENCES tasks (id),
    human_id   TEXT    REFERENCES humans (id),
    agent_id   TEXT    REFERENCES agents (id),
    class      TEXT    NOT NULL,
    body       TEXT    NOT NULL,
    is_open    BOOLEAN NOT NULL,
    created_ms BIGINT  NOT NULL,
    handled_by TEXT    NOT NULL,
    note       TEXT    NOT NULL
);
CREATE INDEX reports_open ON reports (is_open, created_ms, id);

-- +goose Down
DROP TABLE reports;
DROP TABLE reviews;
DROP TABLE disputes;
DROP TABLE submission_items;
DROP TABLE submissions;
DROP TABLE applications;
DROP TABLE offers;
DROP TABLE events;
DROP TABLE tasks;
