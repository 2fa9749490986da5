import { readFile } from "node:fs/promises";
import {
  BlockConflictError,
  BlockExistsError,
  BlockNotFoundError,
  BlockReadonlyError,
  BlockTooLargeError,
  CompactionNotFoundError,
  CompactionRangeError,
  createCompactFunction,
  DeletionNotFoundError,
  InMemorySessionProvider,
  InvalidArgumentError,
  MessageConflictError,
  MessageNotFoundError,
  NotSupportedError,
  ProviderFailedError,
  Session,
  type SessionError,
  SessionExistsError,
  SessionManager,
  SessionNotFoundError,
  type SessionProvider,
  SummaryRejectedError,
} from "grove-session";
import { assistant, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("telling errors apart", async () => {
    const session = Session.create(openStore());

    const words = await session.tree.setActiveLeaf("q1").catch((error: unknown) => {
      if (error instanceof MessageNotFoundError) return `${error.code}: ${error.messageId}`;
      throw error;
    });

    expect(words).toBe("message-not-found: q1");
  });

  test("each error names what it is about", async () => {
    const store = openStore();
    const sessions = SessionManager.create(store)
      .withContext("soul", { provider: { get: () => "You answer briefly." } })
      .withContext("memory", { maxTokens: 4 })
      .withContext("feed", { provider: { get: () => "", set: () => Promise.reject("away") } })
      .onCompaction(createCompactFunction({ summarize: async () => " ", protectHead: 0 }));
    for (const id of ["s1", "gone"]) await sessions.create("Session", { id });
    await sessions.delete("gone");
    const session = sessions.getSession("s1");
    for (const message of [user("q1"), assistant("a1"), user("q2")]) {
      await session.appendMessage(message);
    }
    await session.appendMessage(assistant("b1"), "q1");
    const late = { expectedVersion: 7 };

    const cases: [() => Promise<unknown>, SessionError][] = [
      [() => session.appendMessage(user("q3"), "x"), new MessageNotFoundError("x")],
      [() => session.appendMessage(user("q1", "other")), new MessageConflictError("q1")],
      [() => sessions.rename("x", "New name"), new SessionNotFoundError("x")],
      [() => sessions.create("Again", { id: "gone" }), new SessionExistsError("gone")],
      [() => session.tree.updateCompaction("x", "S"), new CompactionNotFoundError("x")],
      [() => session.addCompaction("S", "q2", "b1"), new CompactionRangeError("q2", "b1")],
      [() => session.restoreMessages("x"), new DeletionNotFoundError("x")],
      [() => session.replaceContextBlock("x", ""), new BlockNotFoundError("x")],
      [() => session.addContext("memory"), new BlockExistsError("memory")],
      [() => session.replaceContextBlock("soul", ""), new BlockReadonlyError("soul")],
      [
        () => session.replaceContextBlock("memory", "one two three four five"),
        new BlockTooLargeError("memory", 7, 4),
      ],
      [
        () => session.replaceContextBlock("memory", "", late),
        new BlockConflictError("memory", 7, 0),
      ],
      [
        () => session.replaceContextBlock("feed", ""),
        new ProviderFailedError("feed", "away", { cause: "away" }),
      ],
      [() => sessions.compactAndSplit("s1"), new SummaryRejectedError("blank")],
      [
        () => session.appendMessage(user("")),
        new InvalidArgumentError("A message id has 1 to 200 characters and is not blank."),
      ],
    ];

    for (const [attempt, error] of cases) {
      await expect(attempt()).rejects.toEqual(error);
    }
  });
});

test("storage that cannot", async () => {
  const { getMessage, getHistory } = new InMemorySessionProvider();
  const session = Session.create({ getMessage, getHistory } as unknown as SessionProvider);
  await expect(session.tree.getNodes()).rejects.toEqual(new NotSupportedError("the tree"));
});

test("the page names every code and class", async () => {
  const page = await readFile(new URL("../errors.md", import.meta.url), "utf8");
  const source = await readFile(new URL("../../lib/session/errors.ts", import.meta.url), "utf8");
  const codes = [...source.matchAll(/^ {2}\| "([a-z-]+)"/gm)].map(([, code]) => code);
  const classes = [...source.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
  const rows = [...page.matchAll(/^\| `(\w+)` \| `([a-z-]+)`/gm)];
  expect(rows.map(([, name]) => name).toSorted()).toEqual(classes.toSorted());
  expect(rows.map(([, , code]) => code).toSorted()).toEqual(codes.toSorted());
});
