import { InMemorySessionStore, SessionManager } from "grove-session";
import { ids } from "grove-session/testing";
import { expect, test } from "vitest";

test("the library in a few lines", async () => {
  const sessions = SessionManager.create(new InMemorySessionStore())
    .withContext("memory", {
      description: "Facts about the person",
      maxTokens: 1100,
      scope: "owner",
    })
    .withCachedPrompt();

  const { id } = await sessions.create("Tea");
  const session = sessions.getSession(id);
  const text = (words: string) => [{ type: "text", text: words }];
  await session.appendMessage({ id: "q1", role: "user", parts: text("How long does tea steep?") });
  await session.appendAnswer([{ role: "assistant", content: "Three minutes." }], { id: "a1" });
  // A second answer to the same question: a branch, nothing is overwritten.
  const other = [{ role: "assistant", content: "Two, if green." }] as const;
  await session.appendAnswer(other, { id: "a2", parentId: "q1" });
  const messages = await session.getModelHistory();

  expect(ids(messages)).toEqual(["q1", "a2"]);
  expect(ids(await session.getBranches("q1"))).toEqual(["a1", "a2"]);
});
