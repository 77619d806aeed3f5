// One row by its id.
import { open } from '../../../db.js';

export const dynamic = 'force-dynamic';

export async function GET(request, { params }) {
  const { id } = await params;
  const task = open().prepare('SELECT * FROM tasks WHERE id = ?').get(id);
  return task ? Response.json({ task }) : Response.json({ status: 'not_found' }, { status: 404 });
}
