// The least that a page of the list must do: the newest twenty, made on the server.
import { open } from '../db.js';

export const dynamic = 'force-dynamic';

export default function Page() {
  const tasks = open().prepare('SELECT * FROM tasks ORDER BY created_at DESC, id DESC LIMIT 20').all();
  return (
    <main>
      <h1>Tasks</h1>
      <ul>
        {tasks.map((t) => (
          <li key={t.id}>
            <h2><a href={'/api/tasks/' + t.id}>{t.task}</a></h2>
            <p>{(t.amount_minor / 100).toFixed(2)} USD, {t.task_label}, {t.status}</p>
          </li>
        ))}
      </ul>
    </main>
  );
}
