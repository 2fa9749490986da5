import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { queryKeys } from "@/app/_api/query-keys";
import { AccountDownloads } from "./account-downloads";

vi.hoisted(() => vi.stubGlobal("location", { pathname: "/p/p-here/settings" }));

function shown(live: string[], deleted: string[] = []): string {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const wire = (ids: string[]) => ({
    projects: ids.map((id) => ({ id, name: `Name of ${id}`, isOnlyOwner: !id.includes("shared") })),
  });
  client.setQueryData(queryKeys.projectList(false), wire(live));
  client.setQueryData(queryKeys.projectList(true), wire(deleted));
  return renderToString(
    <QueryClientProvider client={client}>
      <AccountDownloads label="Everything" />
    </QueryClientProvider>,
  );
}

const addresses = (page: string) => [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

test("in a project they are the person's own export, and one of each project", () => {
  const page = shown(["p-here", "p-shared", "p-there"]);
  expect(addresses(page)).toEqual(["/api/export", "/p/p-here/api/export", "/p/p-there/api/export"]);
  expect(page).toContain("Name of p-there");
  expect(page).not.toContain("Recently deleted");
});

test("they say that deleted projects are in none", () => {
  const page = shown([], ["p-gone"]);
  expect(addresses(page)).toEqual(["/api/export"]);
  expect(page).toContain("Recently deleted projects are in no download.");
});
