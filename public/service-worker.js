// Keeps one page for the moments in which Grove itself does not answer. Nothing a person wrote is ever kept here.
const cacheName = "grove-away-1";
const awayPage = "/away.html";

self.addEventListener("install", (event) => {
  event.waitUntil(keepAwayPage());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(pageOrAway(event));
});

async function keepAwayPage() {
  const cache = await caches.open(cacheName);
  await cache.add(new Request(awayPage, { cache: "reload" }));
  await self.skipWaiting();
}

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
  // The request for a page goes out while this script is still being woken.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function pageOrAway(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const away = await caches.match(awayPage);
    if (away) return away;
    throw error;
  }
}
