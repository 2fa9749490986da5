import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BlockConflictError } from "../../session";
import { appendNumbered, user } from "../../session/testing";
import { connect } from "../connect";
import type { Sql } from "../connections/sql";
import { PostgresContextProvider } from "../memory/entries";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

let database: TestDatabase;
const pools: Sql[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
  await database.drop();
});

/** A second process's view: its own connections and append queue. */
function anotherPool(): Sql {
  const pool = connect(database.url, { max: 1, onnotice: () => undefined });
  pools.push(pool);
  return pool;
}

async function appendInProcess(...args: string[]) {
  const script = fileURLToPath(new URL("../testing/append-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, database.url, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  return {
    async run() {
      child.stdin.write("go\n");
      expect(await exit).toEqual([0, null]);
    },
  };
}

/** A session, and a store on each of `pools` that sees it. */
async function shared(pools: number) {
  const owner = crypto.randomUUID();
  const store = new PostgresSessionStore(database.sql, owner);
  const { id } = await store.sessions.create("Shared");
  const others = Array.from({ length: pools }, () =>
    new PostgresSessionStore(anotherPool(), owner).messages(id),
  );
  return { owner, id, store, messages: store.messages(id), others };
}

async function expectOneLine(
  { store, id }: { store: PostgresSessionStore; id: string },
  expected: readonly string[],
) {
  const tree = await store.messages(id).getTree();
  expect(tree.map((node) => node.id).sort()).toEqual(expected.toSorted());
  expect(new Set(tree.map((node) => node.parentId)).size).toBe(expected.length);
  expect(await store.messages(id).getHistory()).toHaveLength(expected.length);
  expect((await store.sessions.get(id))?.messageCount).toBe(expected.length);
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

describe("one session, written from many sides", () => {
  test("holds every message of 4 processes in one line", { tags: "long" }, async () => {
    const session = await shared(0);
    const names = numbered("p", 4);
    const children = await Promise.all(
      names.map((name) => appendInProcess(session.owner, session.id, name, "32")),
    );
    await Promise.all(children.map((child) => child.run()));
    await expectOneLine(
      session,
      names.flatMap((name) => numbered(name, 32)),
    );
  });

  test("holds every message of 64 writers with 8 connections of their own in one line", async () => {
    const session = await shared(8);
    const sent = numbered("m", 64);
    await Promise.all(
      sent.map((id, n) => session.others[n % session.others.length]?.appendMessage(user(id))),
    );
    await expectOneLine(session, sent);
  });

  test("keeps the chains of 64 writers with 8 connections of their own whole", async () => {
    const session = await shared(8);
    const chains = numbered("w", 64).map((writer) => numbered(writer, 8));
    await Promise.all(
      chains.map((chain, n) =>
        session.others[n % session.others.length]?.appendMessages(chain.map((id) => user(id))),
      ),
    );
    await expectOneLine(session, chains.flat());
    const path = (await session.messages.getHistory()).map(({ id }) => id);
    const starts = chains.map(([first = ""]) => path.indexOf(first));
    expect(starts.map((start) => path.slice(start, start + 8))).toEqual(chains);
  });

  test("passes each message once for those who step back at once", async () => {
    const session = await shared(4);
    await appendNumbered(session.messages, 10);
    const steps = await Promise.all(session.others.map((other) => other.stepBack(2)));
    const passed = steps.flatMap((step) => step.passed.map(({ id }) => id));
    expect(passed.toSorted()).toEqual(["m10", "m3", "m4", "m5", "m6", "m7", "m8", "m9"]);
    expect((await session.messages.getLatestLeaf())?.id).toBe("m2");
  });

  test("stores a list once that many follow at once", async () => {
    const session = await shared(4);
    const list = numbered("m", 6).map((id) => user(id));
    const results = await Promise.all(session.others.map((other) => other.follow(list)));
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
    await expectOneLine(session, numbered("m", 6));
  });

  test("keeps the order in which one writer sent without waiting", async () => {
    const { messages } = await shared(0);
    const sent = numbered("m", 150);
    await Promise.all(sent.map((id) => messages.appendMessage(user(id))));
    expect((await messages.getHistory()).map((message) => message.id)).toEqual(sent);
  });

  test("refuses the one message that cannot be, not those that went along with it", async () => {
    const { messages } = await shared(0);
    const results = await Promise.allSettled([
      messages.appendMessage(user("a")),
      messages.appendMessage(user("b")),
      messages.appendMessage(user("lost"), "unknown"),
      messages.appendMessage(user("c")),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    const history = await messages.getHistory();
    expect(history.map((message) => message.id)).toEqual(["a", "b", "c"]);
  });

  test("makes a sibling of each message that asked for its place, and forks nothing else", async () => {
    const session = await shared(4);
    await session.messages.appendMessage(user("q"));
    const answers = numbered("a", 4);
    await Promise.all(
      session.others.map((other, n) => other.appendMessage(user(answers[n] ?? ""), "q")),
    );
    const tree = await session.messages.getTree();
    expect(
      tree
        .filter((node) => node.parentId === "q")
        .map((node) => node.id)
        .sort(),
    ).toEqual(answers);
  });
});

describe("two compactions at once", () => {
  const ranges: [string, [string, string], [string, string]][] = [
    ["of the same stretch", ["m1", "m8"], ["m1", "m8"]],
    ["of which one holds the other", ["m3", "m5"], ["m1", "m8"]],
    ["that overlap", ["m1", "m6"], ["m4", "m8"]],
    ["side by side", ["m1", "m4"], ["m5", "m8"]],
  ];
  for (const [name, first, second] of ranges) {
    test(`${name} are both kept, and every message shows once or under exactly one`, async () => {
      const { messages, others } = await shared(2);
      await appendNumbered(messages, 10);
      await Promise.all(
        [first, second].map(([from, to], n) => others[n]?.addCompaction(`Summary ${n}`, from, to)),
      );
      expect(await messages.getCompactions()).toHaveLength(2);
      const { entries } = await messages.getWindow();
      const covered = entries.reduce(
        (sum, entry) => sum + (entry.compaction?.messageCount ?? 1),
        0,
      );
      expect(covered).toBe(10);
    });
  }
});

describe("two editors of one block", () => {
  test("of two writers that read the same version one is refused and can then write on top", async () => {
    const owner = crypto.randomUUID();
    const editors = [1, 2].map(
      () => new PostgresContextProvider(anotherPool(), { ownerId: owner, label: "memory" }),
    );
    await editors[0]?.set("Start.");
    const outcomes = await Promise.allSettled(
      editors.map((editor, n) => editor.set(`Start. ${n}`, { expectedVersion: 1 })),
    );
    const refused = outcomes.findIndex(({ status }) => status === "rejected");
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(outcomes[refused]).toMatchObject({ reason: expect.any(BlockConflictError) });
    const { content, version } = (await editors[refused]?.read()) ?? { content: "", version: 0 };
    await editors[refused]?.set(`${content} ${refused}`, { expectedVersion: version });
    const versions = (await editors[0]?.versions()) ?? [];
    expect(versions.map((each) => each.content)).toEqual([
      `Start. ${1 - refused} ${refused}`,
      `Start. ${1 - refused}`,
      "Start.",
    ]);
  });
});
