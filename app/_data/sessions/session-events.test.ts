import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { queryKeys } from "@/app/_api/query-keys";
import { sessionWire } from "@/app/_data/testing/session-wire";
import type { OneChange } from "@/lib/chat/wire/sessions";
import { deletingKey, rereadSession, stopReading } from "./session-events";

afterEach(() => vi.unstubAllGlobals());

/** A client with one list of sessions, and a server that answers with `status`. */
function listed(status: number) {
  const session = sessionWire("s", { title: "New" });
  const body = status === 200 ? { session, parent: null, forks: [] } : { error: {} };
  const fetched = vi.fn(async () => Response.json(body, { status }));
  vi.stubGlobal("fetch", fetched);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const key = queryKeys.sessionList({ archived: false, tag: null });
  const pages = [{ sessions: [sessionWire("s", { title: "Old" })], nextCursor: null }];
  client.setQueryData(key, { pages, pageParams: [null] });
  const titles = () =>
    client
      .getQueryData<{ pages: typeof pages }>(key)
      ?.pages.flatMap(({ sessions }) => sessions.map(({ title }) => title));
  return { client, titles, fetched, isOutdated: () => client.getQueryState(key)?.isInvalidated };
}

it("puts a changed session into the lists without reading them again", async () => {
  const { client, titles, isOutdated } = listed(200);
  await rereadSession(client, "s");
  expect(titles()).toEqual(["New"]);
  expect(isOutdated()).toBe(false);
});

it("reads the lists again after the session could not be read", async () => {
  const { client, isOutdated } = listed(500);
  await rereadSession(client, "s");
  expect(isOutdated()).toBe(true);
});

it("leaves the lists alone after the session was deleted", async () => {
  const { client, isOutdated } = listed(404);
  await rereadSession(client, "s");
  expect(isOutdated()).toBe(false);
});

it("reads a session once for changes that come together", async () => {
  const { client, fetched, isOutdated } = listed(200);
  await Promise.all([rereadSession(client, "s"), rereadSession(client, "s")]);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(isOutdated()).toBe(false);
});

it("reads a session again that changed after it was asked for", async () => {
  const { client, fetched } = listed(200);
  fetched.mockImplementationOnce(async () => {
    void rereadSession(client, "s");
    return Response.json({ session: sessionWire("s", {}), parent: null, forks: [] });
  });
  await rereadSession(client, "s");
  expect(fetched).toHaveBeenCalledTimes(2);
});

it("reads no path again for facts alone, but does for what changes meanwhile", async () => {
  const { client, fetched } = listed(200);
  const key = queryKeys.transcript("s", "page");
  client.setQueryData(key, {});
  await rereadSession(client, "s", "facts");
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(client.getQueryState(key)?.isInvalidated).toBe(false);
  await Promise.all(
    ["facts", "all", "facts"].map((part) => rereadSession(client, "s", part as "all")),
  );
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(client.getQueryState(key)?.isInvalidated).toBe(true);
});

it("does not read a session that is deleted in the meantime", async () => {
  const { client, fetched } = listed(200);
  const reread = rereadSession(client, "s");
  await stopReading(client, "s");
  await reread;
  expect(fetched).not.toHaveBeenCalled();
});

it("breaks off what is being read of a session that is deleted", async () => {
  const { client, fetched, isOutdated } = listed(200);
  fetched.mockImplementationOnce(async () => {
    void stopReading(client, "s");
    return Response.json({ error: {} }, { status: 404 });
  });
  await rereadSession(client, "s");
  const [, options] = fetched.mock.calls[0] as unknown as [string, RequestInit];
  expect(options.signal?.aborted).toBe(true);
  expect(isOutdated()).toBe(false);
});

it("does not read a session while it is being deleted, and reads others", async () => {
  const { client, fetched } = listed(200);
  const { promise, resolve } = Promise.withResolvers<void>();
  const deleting = new MutationObserver(client, {
    mutationKey: deletingKey,
    mutationFn: (_deleted: { changes: OneChange[] }) => promise,
  }).mutate({ changes: [{ id: "s", deletionId: "d" }] });
  await rereadSession(client, "s");
  expect(fetched).not.toHaveBeenCalled();
  await rereadSession(client, "other");
  expect(fetched).toHaveBeenCalledTimes(1);
  resolve();
  await deleting;
  await rereadSession(client, "s");
  expect(fetched).toHaveBeenCalledTimes(2);
});
