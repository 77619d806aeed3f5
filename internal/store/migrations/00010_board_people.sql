-- Who uses the board. Times are milliseconds since 1970 (0 for never), money is in
-- minor units, lists are JSON. Keys, codes and sessions are kept as HMACs only.

-- +goose Up
CREATE TABLE humans (
    id           TEXT    NOT NULL PRIMARY KEY,
    email        TEXT    UNIQUE, -- normalised; one person, one profile
    handle       TEXT    NOT NULL,
    lang         TEXT    NOT NULL CHECK (lang IN ('ja', 'en')),
    country      TEXT    NOT NULL,
    prefecture   TEXT    NOT NULL,
    city         TEXT    NOT NULL,
    headline     TEXT    NOT NULL,
    bio          TEXT    NOT NULL,
    notify       TEXT    NOT NULL, -- JSON of the notifications
    instant_on   BOOLEAN NOT NULL,
    floor_jpy    BIGINT  CHECK (floor_jpy >= 0),
    floor_usd    BIGINT  CHECK (floor_usd >= 0),
    quiet_from   BIGINT  NOT NULL CHECK (quiet_from BETWEEN 0 AND 1439), -- minutes of the day in Japan
    quiet_to     BIGINT  NOT NULL CHECK (quiet_to BETWEEN 0 AND 1439),
    task_cap     BIGINT  NOT NULL CHECK (task_cap BETWEEN 1 AND 100), -- tasks at once
    payout_ready BOOLEAN NOT NULL,
    operator     BOOLEAN NOT NULL,
    suspended    BOOLEAN NOT NULL,
    offered_ms   BIGINT  NOT NULL, -- the last instant offer, for turns
    created_ms   BIGINT  NOT NULL,
    updated_ms   BIGINT  NOT NULL,
    deleted_ms   BIGINT  NOT NULL
);
CREATE INDEX humans_turn ON humans (offered_ms, id) WHERE instant_on;
CREATE INDEX humans_created ON humans (created_ms, id);

CREATE TABLE human_tags (
    human_id TEXT NOT NULL REFERENCES humans (id),
    kind     TEXT NOT NULL CHECK (kind IN ('area', 'skill', 'language')),
    tag      TEXT NOT NULL,
    PRIMARY KEY (human_id, kind, tag)
);
CREATE INDEX human_tags_tag ON human_tags (kind, tag, human_id);

CREATE TABLE human_identities (
    provider TEXT NOT NULL,
    subject  TEXT NOT NULL,
    human_id TEXT NOT NULL REFERENCES humans (id),
    PRIMARY KEY (provider, subject)
);
CREATE INDEX human_identities_human ON human_identities (human_id);

CREATE TABLE sessions (
    mac        TEXT   NOT NULL PRIMARY KEY,
    human_id   TEXT   NOT NULL REFERENCES humans (id),
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL
);
CREATE INDEX sessions_human ON sessions (human_id);
CREATE INDEX sessions_expiry ON sessions (expires_ms);

CREATE TABLE agents (
    id             TEXT    NOT NULL PRIMARY KEY,
    name           TEXT    NOT NULL,
    email          TEXT    NOT NULL UNIQUE, -- normalised
    verified_ms    BIGINT  NOT NULL,
    disabled       BOOLEAN NOT NULL,
    owner_human_id TEXT    REFERENCES humans (id),
    cap_jpy        BIGINT  CHECK (cap_jpy >= 0), -- of a day
    cap_usd        BIGINT  CHECK (cap_usd >= 0),
    event_seq      BIGINT  NOT NULL, -- of the last event
    created_ms     BIGINT  NOT NULL
);
CREATE INDEX agents_owner ON agents (owner_human_id);
CREATE INDEX agents_created ON agents (created_ms, id);

CREATE TABLE api_keys (
    id         TEXT   NOT NULL PRIMARY KEY,
    agent_id   TEXT   REFERENCES agents (id),
    human_id   TEXT   REFERENCES humans (id),
    name       TEXT   NOT NULL,
    prefix     TEXT   NOT NULL UNIQUE,
    mac        TEXT   NOT NULL UNIQUE,
    scopes     TEXT   NOT NULL, -- JSON
    cap_jpy    BIGINT CHECK (cap_jpy >= 0),
    cap_usd    BIGINT CHECK (cap_usd >= 0),
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    revoked_ms BIGINT NOT NULL,
    used_ms    BIGINT NOT NULL,
    CHECK ((agent_id IS NULL) <> (human_id IS NULL))
);
CREATE INDEX api_keys_agent ON api_keys (agent_id, created_ms);
CREATE INDEX api_keys_human ON api_keys (human_id, created_ms);

CREATE TABLE codes (
    id         TEXT   NOT NULL PRIMARY KEY,
    purpose    TEXT   NOT NULL CHECK (purpose IN ('sign_in', 'agent')),
    email      TEXT   NOT NULL,
    agent_id   TEXT   REFERENCES agents (id),
    lang       TEXT   NOT NULL,
    mac        TEXT   NOT NULL,
    attempts   BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    used_ms    BIGINT NOT NULL
);
CREATE INDEX codes_email ON codes (purpose, email);
CREATE INDEX codes_expiry ON codes (expires_ms);

-- +goose Down
DROP TABLE codes;
DROP TABLE api_keys;
DROP TABLE agents;
DROP TABLE sessions;
DROP TABLE human_identities;
DROP TABLE human_tags;
DROP TABLE humans;
