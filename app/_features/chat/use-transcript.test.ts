import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { entry, page, path, run } from "@/app/_data/testing/wire-builders";
import type { CompactionWire } from "@/lib/chat/wire/compaction";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { type LoadedTranscript, openWindow, withRun } from "./transcript-window";
import { transcriptCache } from "./use-transcript";

afterEach(() => vi.unstubAllGlobals());

/** A transcript that shows `shown`, and a server that answers with what `answer` makes of the address. */
function opened(
  shown: TranscriptWire,
  answer: (url: URL) => Promise<TranscriptWire> | TranscriptWire | null,
) {
  vi.stubGlobal("fetch", async (address: string) => {
    const found = await answer(new URL(address, "http://grove"));
    const body = found ?? { error: { code: "message-not-found", message: "It is gone." } };
    return Response.json(body, { status: found ? 200 : 404 });
  });
  const client = new QueryClient();
  const cache = transcriptCache(client, { sessionId: "s", pageId: "p" });
  cache.change(() => openWindow(shown), { leaf: shown.leafId ?? "" });
  const refetch = async () => {
    client.setQueryData(cache.key, await cache.reread(new AbortController().signal));
  };
  return { cache, refetch };
}

const ids = (window: LoadedTranscript) => window.entries.map(({ message }) => message.id);

it("keeps what was changed while a page was being read", async () => {
  const { promise, resolve } = Promise.withResolvers<TranscriptWire>();
  const { cache, refetch } = opened(page(path("q1")), () => promise);
  const reading = refetch();
  cache.change((window) => withRun(window, run("a1", "q1")));
  resolve(page(path("q1")));
  await reading;
  expect(cache.current().runs).toEqual([run("a1", "q1")]);
});

it("ignores a page that was read for a path left meanwhile", async () => {
  const { promise, resolve } = Promise.withResolvers<TranscriptWire>();
  const { cache, refetch } = opened(page(path("q1", "a1")), (url) =>
    url.searchParams.get("leaf") === "a1" ? promise : page(path("q1", "b1")),
  );
  const reading = refetch();
  await cache.open({ leaf: "b1" });
  resolve(page(path("q1", "a1", "q2")));
  await reading;
  expect(ids(cache.current())).toEqual(["q1", "b1"]);
});

it("opens the path used last when the leaf it is to follow is gone", async () => {
  const { cache, refetch } = opened(page(path("q1", "a1")), (url) =>
    url.searchParams.has("leaf") ? null : page(path("q1", "b1")),
  );
  await refetch();
  expect(ids(cache.current())).toEqual(["q1", "b1"]);
});

it("keeps unchanged entries as the objects they were", async () => {
  const { cache, refetch } = opened(page(path("q1", "a1")), () => page(path("q1", "a1", "q2")));
  const [first] = cache.current().entries;
  await refetch();
  expect(ids(cache.current())).toEqual(["q1", "a1", "q2"]);
  expect(cache.current().entries[0]).toBe(first);
});

it("keeps the older entries once, although their page is asked for twice", async () => {
  const asked: string[] = [];
  const newest = page(path("q1", "a1", "q2").slice(2), { hasMore: true });
  const { cache } = opened(newest, (url) => {
    asked.push(url.search);
    return page(path("q1", "a1"));
  });
  await Promise.all([cache.loadOlder(), cache.loadOlder()]);
  expect(ids(cache.current())).toEqual(["q1", "a1", "q2"]);
  expect(asked).toHaveLength(1);
});

it("reads older entries again when the connection was lost", async () => {
  const newest = page(path("q1", "a1", "q2").slice(2), { hasMore: true });
  let asked = 0;
  const { cache } = opened(newest, () => {
    asked += 1;
    if (asked === 1) throw new TypeError("fetch failed");
    return page(path("q1", "a1"));
  });
  await cache.loadOlder();
  expect(ids(cache.current())).toEqual(["q1", "a1", "q2"]);
});

it("reads the whole path page by page, each summary before the messages it covers", async () => {
  const entries = path("q1", "a1", "q2", "a2");
  const compaction = { id: "c", fromMessageId: "a1", toMessageId: "q2" } as CompactionWire;
  const seam = entry("c", "q1", { position: 1.5, compaction });
  const { cache } = opened(page(entries.slice(3), { hasMore: true }), ({ searchParams }) => {
    const last = entries.slice(3);
    const isLast = !searchParams.has("before");
    if (isLast) return page(last, { hasMore: true });
    const older = entries.slice(0, 3);
    return page(searchParams.has("overlays") ? older : [...older.slice(0, 1), seam]);
  });
  expect(ids(await cache.readWhole())).toEqual(["q1", "c", "a1", "q2", "a2"]);
});
