import fc from "fast-check";
import {
  InMemorySessionStore,
  MessageNotFoundError,
  type SessionTreeProvider,
} from "grove-session";
import { beforeEach, describe, expect, test } from "vitest";
import { entriesApart, walkApart } from "./parting";

let messages: SessionTreeProvider;

async function emptySession(): Promise<SessionTreeProvider> {
  const store = new InMemorySessionStore();
  await store.sessions.create("Chat", { id: "s" });
  return store.messages("s");
}

/** `q1 → a1 → q2 → a2`, an edited `q2b → a2b` beside `q2`, and another root `r1`. */
beforeEach(async () => {
  const tree = [
    ["q1", null],
    ["a1", "q1"],
    ["q2", "a1"],
    ["a2", "q2"],
    ["q2b", "a1"],
    ["a2b", "q2b"],
    ["r1", null],
  ] as const;
  messages = await emptySession();
  for (const [id, parentId] of tree)
    await messages.appendMessage({ id, role: "user", parts: [] }, parentId);
});

async function apart(left: string | null, right: string | null) {
  const leftIds: string[] = [];
  const rightIds: string[] = [];
  const shared = await walkApart(messages, left, right, {
    onLeft: ({ message }) => void leftIds.unshift(message.id),
    onRight: ({ message }) => void rightIds.unshift(message.id),
  });
  return { ancestorId: shared?.message.id ?? null, leftIds, rightIds };
}

describe("two paths", () => {
  test("have a last message that they share, and what each has after it", async () => {
    expect(await apart("a2", "a2b")).toEqual({
      ancestorId: "a1",
      leftIds: ["q2", "a2"],
      rightIds: ["q2b", "a2b"],
    });
  });

  test("leave nothing of one that lies on the other", async () => {
    expect(await apart("a1", "a2")).toEqual({
      ancestorId: "a1",
      leftIds: [],
      rightIds: ["q2", "a2"],
    });
    expect(await apart("q2", "q2")).toEqual({ ancestorId: "q2", leftIds: [], rightIds: [] });
  });

  test("share nothing between beginnings, and with the path before the first message", async () => {
    expect(await apart("r1", "a1")).toEqual({
      ancestorId: null,
      leftIds: ["r1"],
      rightIds: ["q1", "a1"],
    });
    expect(await apart("q1", null)).toEqual({ ancestorId: null, leftIds: ["q1"], rightIds: [] });
  });

  test("refuse a message that is not there", async () => {
    await expect(apart("q1", "x")).rejects.toThrow(MessageNotFoundError);
    await expect(apart("x", null)).rejects.toThrow(MessageNotFoundError);
  });

  test("part where the histories of their ends do, in any tree with deleted messages", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { minLength: 2, maxLength: 120 }),
        fc.array(fc.nat(119)),
        fc.nat(),
        fc.nat(),
        async (parents, gone, one, other) => {
          messages = await emptySession();
          for (const [n, parent] of parents.entries()) {
            // Mostly a chain, which is longer than a window.
            const at = parent % 4 === 0 ? (parent >> 2) % (n + 1) : n;
            const parentId = at === 0 ? null : `m${at - 1}`;
            await messages.appendMessage({ id: `m${n}`, role: "user", parts: [] }, parentId);
          }
          await messages.deleteMessages(gone.map((n) => `m${n}`).filter((id) => id !== "m0"));
          const ids = (await messages.getTree()).map(({ id }) => id);
          const [left = "", right = ""] = [ids[one % ids.length], ids[other % ids.length]];
          const [ours, theirs] = await Promise.all(
            [left, right].map(async (id) => (await messages.getHistory(id)).map((each) => each.id)),
          );
          const shared = ours?.filter((id, n) => theirs?.[n] === id) ?? [];
          expect(await apart(left, right)).toEqual({
            ancestorId: shared.at(-1) ?? null,
            leftIds: ours?.slice(shared.length),
            rightIds: theirs?.slice(shared.length),
          });
        },
      ),
      { numRuns: 50 },
    );
  });
});

test("What lies apart comes root-most first", async () => {
  const entries = await entriesApart(messages, { from: "a2b", to: "q2" });
  expect(entries.map(({ message }) => message.id)).toEqual(["q2b", "a2b"]);
});
