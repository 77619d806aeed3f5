// Shows what the board pushes to this browser, and opens the page that it is about.
'use strict';

self.addEventListener('push', (event) => {
  let told = {};
  try { told = event.data.json(); } catch { /* a push without words still says that there is news */ }
  event.waitUntil(self.registration.showNotification(told.title || 'Legwork', {
    body: told.body || '', lang: told.lang || '', tag: told.tag || 'legwork', icon: '/assets/icon.svg', data: { url: told.url || '/me/tasks' },
  }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.url));
});

// Only pages of the board are opened, whatever a push says.
async function show(address) {
  let page = new URL(address, self.location.origin);
  if (page.origin !== self.location.origin) page = new URL('/me/tasks', self.location.origin);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find((w) => w.url === page.href);
  return open ? open.focus() : self.clients.openWindow(page.href);
}
