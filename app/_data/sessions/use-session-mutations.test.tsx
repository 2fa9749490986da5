import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { queryKeys } from "@/app/_api/query-keys";
import { sessionWire } from "@/app/_data/testing/session-wire";
import { useChangeSessions } from "./use-session-mutations";

vi.hoisted(() => vi.stubGlobal("location", { pathname: "/" }));
afterEach(() => vi.unstubAllGlobals());

type Change = Parameters<ReturnType<typeof useChangeSessions>["mutateAsync"]>[0];

/** Changes the last chat of a list with more pages, and tells if the list is then read again. */
async function isReread(
  together: Omit<Change, "sessions">,
  result: object = { session: sessionWire("last") },
) {
  const last = sessionWire("last");
  vi.stubGlobal("fetch", async () => Response.json({ results: [result] }));
  const client = new QueryClient();
  const key = queryKeys.sessionList({ archived: false, tag: null });
  const pages = [{ sessions: [last], nextCursor: "after last" }];
  client.setQueryData(key, { pages, pageParams: [null] });
  const change = vi.fn<(change: Change) => Promise<unknown>>();
  function Changing() {
    change.mockImplementation(useChangeSessions().mutateAsync);
    return null;
  }
  renderToString(
    <QueryClientProvider client={client}>
      <Changing />
    </QueryClientProvider>,
  );
  await change({ sessions: [last], ...together });
  return client.getQueryState(key)?.isInvalidated;
}

test("lists are read again after a chat comes back, whose place may be on no read page", async () => {
  expect(await isReread({ changes: [{ id: "last", isRestored: true }] })).toBe(true);
  expect(await isReread({ changes: [{ id: "last", archived: false }] })).toBe(true);
  expect(await isReread({ changes: [{ id: "last", space: null }], from: "p" })).toBe(true);
  const refused = { error: { code: "session-running", message: "It is being answered." } };
  expect(await isReread({ changes: [{ id: "last", deletionId: "d" }] }, refused)).toBe(true);
});

test("lists are not read again for a tag or a deletion", async () => {
  expect(await isReread({ changes: [{ id: "last", tags: ["tea"] }] })).toBe(false);
  const deleted = { session: null };
  expect(await isReread({ changes: [{ id: "last", deletionId: "d" }] }, deleted)).toBe(false);
});
