// One connection, a write-ahead log and full durability: what the board has too.
import Database from 'better-sqlite3';

let db;

export function open() {
  if (!db) {
    db = new Database(process.env.PEER_DB);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec(`CREATE TABLE IF NOT EXISTS tasks (id TEXT PRIMARY KEY, task TEXT NOT NULL, task_label TEXT NOT NULL, origin_country TEXT NOT NULL,
      acceptance_criteria TEXT NOT NULL, not_allowed TEXT NOT NULL, amount_minor INTEGER NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL)`);
    db.exec('CREATE INDEX IF NOT EXISTS newest ON tasks (created_at, id)');
  }
  return db;
}
