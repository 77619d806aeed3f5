// The least that a handler must do: check the body, insert the row, answer; and list the newest.
import { randomUUID } from 'node:crypto';
import { open } from '../../db.js';

export const dynamic = 'force-dynamic';

export async function POST(request) {
  const t = await request.json();
  for (const name of ['task', 'task_label', 'origin_country', 'acceptance_criteria', 'not_allowed']) {
    if (typeof t[name] !== 'string' || !t[name]) return Response.json({ status: 'error', reason: 'invalid_request' }, { status: 400 });
  }
  if (!(t.budget_usd >= 5)) return Response.json({ status: 'error', reason: 'below_min_budget' }, { status: 400 });
  const id = randomUUID();
  open().prepare('INSERT INTO tasks VALUES (?,?,?,?,?,?,?,?,?)').run(id, t.task, t.task_label, t.origin_country, t.acceptance_criteria, t.not_allowed,
    Math.round(t.budget_usd * 100), 'open', Date.now());
  return Response.json({ id, status: 'open' }, { status: 201 });
}

export async function GET() {
  return Response.json({ tasks: open().prepare('SELECT * FROM tasks ORDER BY created_at DESC, id DESC LIMIT 20').all() });
}
