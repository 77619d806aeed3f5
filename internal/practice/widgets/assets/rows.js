// Rows that a person adds one by one: each stored row becomes a line of a table
// and hidden inputs named id.0.cell, id.1.cell and so on.
'use strict';

// rowTable keeps the rows of one question. cells are [name, heading] pairs.
function rowTable(id, cells, body, hidden) {
  const rows = [];
  function draw() {
    body.replaceChildren(...rows.map((row, n) => {
      const line = document.createElement('tr');
      line.className = 'row';
      for (const [name] of cells) {
        const cell = document.createElement('td');
        cell.textContent = String(row[name]);
        line.append(cell);
      }
      const remove = document.createElement('button');
      remove.type = 'button';
      remove.className = 'button plain';
      remove.id = id + '-remove-' + n;
      remove.textContent = 'Remove';
      remove.addEventListener('click', () => { rows.splice(n, 1); draw(); });
      const last = document.createElement('td');
      last.append(remove);
      line.append(last);
      return line;
    }));
    hidden.replaceChildren(...rows.flatMap((row, n) => cells.map(([name]) => {
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name: id + '.' + n + '.' + name, value: String(row[name]) });
      return input;
    })));
    document.dispatchEvent(new CustomEvent('rows-changed', { detail: rows.length }));
  }
  return { add(row) { rows.push(row); draw(); }, size: () => rows.length };
}
