import type { ApiResponse } from './route.ts'

/**
 * SPEC OC8. vigil has no service worker. One that a browser still has for this origin is foreign,
 * and would answer in the daemon's place: this one replaces it, unregisters itself and reloads its
 * pages.
 */
const SCRIPT = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(leave()))
async function leave() {
  await registration.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
  for (const page of await clients.matchAll({ type: 'window' })) page.navigate(page.url)
}
`

export const WORKER: ApiResponse = {
  status: 200,
  headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
  body: SCRIPT,
}
