-- What a key may spend in a day is kept in a purse: the successor of a key has the same
-- one, and what a key spends that another key made comes out of that one's purse too.

-- +goose Up
ALTER TABLE api_keys ADD COLUMN purse TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN parent_purse TEXT NOT NULL DEFAULT ''; -- of the key that made it, when that has caps
UPDATE api_keys SET purse = id;
CREATE INDEX api_keys_purse ON api_keys (purse, created_ms);

-- +goose Down
DROP INDEX api_keys_purse;
ALTER TABLE api_keys DROP COLUMN parent_purse;
ALTER TABLE api_keys DROP COLUMN purse;
