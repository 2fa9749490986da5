import { randomUUID } from "node:crypto";
import { test as base } from "@playwright/test";
import { testOwnerCookie } from "@/lib/server/owner-of";

interface Story {
  /** The owner that every request of the story acts as; new to Grove, like a person who has just installed it. */
  owner: string;
}

/** Runs each story with data of its own, on a server that all of them share. */
export const test = base.extend<Story>({
  owner: ({ browserName: _ }, use) => use(`story-${randomUUID()}`),
  // The cookie goes with pages, workers, event streams and the test's own requests alike.
  storageState: ({ owner }, use) =>
    use({
      cookies: [
        {
          name: testOwnerCookie,
          value: owner,
          domain: "127.0.0.1",
          path: "/",
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: "Lax",
        },
      ],
      origins: [],
    }),
  page: async ({ page }, use) => {
    await use(page);
    // A request that a story holds may still be on its way, and fails as the page closes.
    if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
  },
});
