import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { queryKeys } from "@/app/_api/query-keys";
import { sessionWire } from "@/app/_data/testing/session-wire";
import { ProgramChats } from "./program-chats";

const nothing = () => undefined;
const noRouter = {
  ...{ back: nothing, forward: nothing, refresh: nothing },
  ...{ push: nothing, replace: nothing, prefetch: nothing },
} as never;

test("chats are grouped by the folder that their program named, which offers a project", () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const chats = [
    ["c", "/home/me/tea"],
    ["b", null],
    ["a", "/home/me/tea"],
  ] as const;
  const sessions = chats.map(([id, folder]) => sessionWire(id, { folder }));
  const asked = { archived: false, tag: null, program: "k" };
  client.setQueryData(queryKeys.sessionList(asked), {
    pages: [{ sessions, nextCursor: null }],
    pageParams: [null],
  });
  const page = renderToString(
    <AppRouterContext value={noRouter}>
      <PathnameContext value="/">
        <QueryClientProvider client={client}>
          <ProgramChats programId="k" knownTags={[]} />
        </QueryClientProvider>
      </PathnameContext>
    </AppRouterContext>,
  );
  const links = [...page.matchAll(/data-session-link="(\w)"/g)].map(([, id]) => id);
  expect(links).toEqual(["c", "a", "b"]);
  expect(page).toContain('title="/home/me/tea"');
  expect(page).toContain("No folder</h4>");
  expect(page.match(/aria-label="New project for tea"/g)).toHaveLength(1);
});
