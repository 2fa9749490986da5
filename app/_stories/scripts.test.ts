import { emittingStore, SessionManager } from "grove-session";
import { connect, Notifications, PostgresSessionStore, SessionFeed } from "grove-session/postgres";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { TestServices } from "@/lib/server/testing/test-services";
import { answers, newWord, questions, sessionIdOf } from "./testing/conversation";
import { endServer, startServer } from "./testing/server";
import { ask, askFirst, openDrawer } from "./testing/session-page";
import { test as base } from "./testing/test";

let served: TestServices;

beforeAll(async () => {
  served = await startServer({});
});
afterAll(endServer);

interface Script {
  /** The owner's sessions, as a program of their own has them. */
  script: SessionManager;
}

const test = base.extend<Script>({
  script: async ({ owner }, use) => {
    const sql = connect(served.database.url);
    const notifications = new Notifications(sql);
    const events = new SessionFeed(notifications).of(owner);
    const store = emittingStore(new PostgresSessionStore(sql, owner), events);
    await use(SessionManager.create(store).withContext("memory", { scope: "owner" }));
    await notifications.settled();
    await sql.end();
  },
});

const text = (words: string) => [{ type: "text", text: words }];

describe("A script on the same database", () => {
  test("says something in the session I have open, and I see it and go on from there", {
    tags: "long",
  }, async ({ page, script }) => {
    await askFirst(page, "What can you do?");
    const session = script.getSession(sessionIdOf(page));
    await session.appendMessage({ id: "from-script", role: "user", parts: text("Is it Monday?") });
    await session.appendMessage({ id: "said", role: "assistant", parts: text("It is Tuesday.") });
    await expect(questions(page).last()).toContainText("Is it Monday?");
    await expect(answers(page).last()).toContainText("It is Tuesday.");

    await ask(page, "Thank you");
    expect((await session.getHistory()).map(({ id }) => id).slice(2, 4)).toEqual([
      "from-script",
      "said",
    ]);
  });

  test("notes something, and I see it in the memory I have open", { tags: "long" }, async ({
    page,
    script,
  }) => {
    await askFirst(page, "What can you do?");
    const drawer = await openDrawer(page, "Memory");
    const memory = drawer.getByRole("article", { name: "About you", exact: true });
    await expect(memory).toBeVisible();
    const session = script.getSession(sessionIdOf(page));
    await session.appendContextBlock("memory", "Rides a red bicycle.");
    await expect(memory).toContainText("Rides a red bicycle.");
  });

  test("makes, renames and deletes a session, and my list of sessions follows", async ({
    page,
    script,
  }) => {
    await askFirst(page, "What can you do?");
    const [title, renamed] = [newWord(), newWord()];
    const link = (name: string) => page.getByRole("link", { name: new RegExp(name) });
    const { id } = await script.create(title);
    await expect(link(title)).toBeVisible();
    await script.rename(id, renamed);
    await expect(link(renamed)).toBeVisible();
    await expect(link(title)).toHaveCount(0);
    await script.delete(id);
    await expect(link(renamed)).toHaveCount(0);
  });
});
