import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asPerson, asSpace } from "@/lib/chat/core/person-in-space";
import type { UsageEntry } from "@/lib/chat/core/usage-log";
import { fencedTo } from "@/lib/storage/owner-fence";
import { PostgresRequests } from "@/lib/storage/postgres-requests";
import { PostgresRunStore } from "@/lib/storage/runs/postgres-run-store";
import { PostgresUsage } from "@/lib/storage/runs/postgres-usage";
import { PostgresConsents } from "@/lib/storage/settings/postgres-consents";
import { PostgresKeys } from "@/lib/storage/settings/postgres-keys";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";
import { PostgresShares } from "@/lib/storage/shares/postgres-shares";
import { PostgresPersonalParts } from "@/lib/storage/spaces/personal-parts";
import type { Random } from "@/lib/text/testing/random";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import { parseQuery } from "../session";
import type { BlockKey, NewBlock } from "../session/internal";
import type { NewProposal } from "../session/ports";
import { assistant, user } from "../session/testing";
import { identifier } from "./connections/sql";
import { filesOfPath, knowledgeFilesNamed, searchPages } from "./files/knowledge-files";
import { PostgresFiles } from "./files/postgres-files";
import { PostgresBlocks } from "./memory/blocks";
import {
  PostgresContextProvider,
  PostgresSearchProvider,
  PostgresSkillProvider,
} from "./memory/entries";
import { PostgresSessionStore } from "./postgres-session-store";
import { searchAllDocuments } from "./search/search-documents";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function everythingOf(ownerId: string) {
  const sql = fencedTo(database.sql, ownerId);
  return {
    ownerId,
    store: new PostgresSessionStore(sql, ownerId),
    runs: new PostgresRunStore({ sql, chunks: sql, ownerId }),
    settings: new PostgresSettings(sql, ownerId),
    consents: new PostgresConsents(sql, asSpace(ownerId)),
    usage: new PostgresUsage(sql, asSpace(ownerId)),
    keys: new PostgresKeys(sql, asPerson(ownerId)),
    requests: new PostgresRequests(sql, ownerId),
    parts: new PostgresPersonalParts(sql, {
      personId: asPerson(ownerId),
      spaceId: asSpace("project"),
    }),
    shares: new PostgresShares(sql, asSpace(ownerId)),
    blocks: new PostgresBlocks(sql, ownerId),
    files: new PostgresFiles(sql, ownerId),
    knowledge: new PostgresSearchProvider(sql, { ownerId, label: "knowledge" }),
    skills: new PostgresSkillProvider(sql, { ownerId, label: "skills" }),
    memory: new PostgresContextProvider(sql, { ownerId, label: "memory" }),
  };
}

type Everything = ReturnType<typeof everythingOf>;

const run = { id: "a2", sessionId: "s", messageId: "a2", parentId: "q2", model: "test/model" };
const provenance = { author: "model" as const, sessionId: "s", messageId: "a2" };

function proposed(word: string): NewProposal {
  const [title, description, content] = [`Title ${word}`, `About ${word}`, `Text ${word}`];
  const entry = { blockId: "knowledge", key: "k", title, description, content, baseVersion: 1 };
  return {
    sessionId: "s",
    messageId: "a2",
    program: `Program ${word}`,
    ...entry,
    action: "replace",
  };
}

const block: NewBlock = {
  label: "plan",
  sessionId: "s",
  scope: "session",
  description: "",
  kind: "writable",
  writers: "both",
  maxTokens: 100,
};
const rules = { ...block, label: "rules", sessionId: null, scope: "owner" } as const;

/** The same ids for every owner; only the word differs. */
async function fill(all: Everything, word: string) {
  const { store, runs, settings, knowledge, skills, memory } = all;
  await store.sessions.create(`Title ${word}`, { id: "s", tags: ["tag"] });
  const messages = store.messages("s");
  await messages.appendMessage(user("q1", `First ${word}`));
  await messages.appendMessage(assistant("a1", `Answer ${word}`));
  await messages.appendMessage(user("q2", `Second ${word}`));
  await messages.appendMessage(user("q2b", `Edited ${word}`), "a1");
  await messages.appendMessage(assistant("gone", `Gone ${word}`), "q2");
  const { deletionId } = await messages.deleteMessages(["gone"]);
  const compaction = await messages.addCompaction(`Summary ${word}`, "q1", "a1");
  await messages.setPinned("q1", true);
  await messages.setLabel("q1", `Label ${word}`);
  await messages.recordSkillEvent({ label: "skills", key: "k" }, "load");
  await store.sessions.fork("s", "q2", `Fork ${word}`, { id: "f" });
  await store.promptCache("s").set(`Prompt ${word}`);
  await all.parts.add("s", { id: "part", prompt: `Personal ${word}` });
  const planBlock = await all.blocks.create({ ...block, description: word });
  const rulesBlock = await all.blocks.create({ ...rules, description: word });
  const goneBlock = await all.blocks.create({ ...rules, label: "gone", description: word });
  await all.blocks.delete(goneBlock);
  const made = { planBlock, rulesBlock, goneBlock };
  await memory.set(`Memory ${word}`, { provenance });
  await knowledge.write("k", { title: `Known ${word}`, content: `Text ${word}` });
  await skills.write("k", { title: `Skill ${word}`, content: `Guide ${word}` });
  await runs.start(run, 60_000, { maxRunning: 100 });
  await runs.appendChunks("a2", 0, [{ word }]);
  const summary = { id: "c2", sessionId: "s", messageId: "c2", parentId: "q2", model: word };
  await runs.start({ ...summary, kind: "summary", plan: { focus: word } }, 60_000, {
    maxRunning: 100,
  });
  await runs.finish("c2", "failed", { problem: word });
  await runs.saveReceipt({ id: "a2", fence: 0 }, { word });
  await all.consents.allow("s", { tool: word, version: word });
  await settings.change({ word });
  await settings.saveSecret({ name: "n", description: { word }, sealed: word });
  await all.usage.record({ ...call, model: word, keyId: "k" });
  await all.keys.add({ id: "k", name: word, hash: `hash ${word}`, hint: "abcd", scopes: {} });
  await all.shares.add(shared(all, word), { page: Buffer.from(word), copy: Buffer.from(word) });
  const asked = await all.requests.claim({ id: "r", digest: word }, 60_000);
  await all.files.add(file, {
    path: import.meta.filename,
    content: () => ({ facts: { word }, pages: [{ page: 1, title: word, text: word }] }),
  });
  await database.sql`
    insert into account_user (id, owner_id, name, email)
    values (${word}, ${all.ownerId}, ${word}, ${`${word}@example.org`})`;
  const proposal = await store.proposals.add(proposed(word));
  const held = asked.state === "mine" ? asked.held : null;
  return { ...made, held, deletionId, compactionId: compaction.id, proposalId: proposal.id };
}

function shared({ ownerId }: Everything, word: string) {
  const shows = { branches: false, reasoning: false, tools: false, files: false, title: false };
  const keys = { tokenHash: `link ${word}`, token: word, madeBy: asPerson(ownerId) };
  const about = { sessionId: "s", leafId: null, title: word, shows, audience: "anyone" } as const;
  return { shareId: "share", ...keys, ...about };
}

/** The same for every owner; only what is known about it differs. */
const file = { sha256: "0".repeat(64), size: 1, mediaType: "text/plain" };

const call: UsageEntry = {
  id: "u",
  kind: "answer",
  sessionId: "s",
  model: "m",
  inputTokens: 1,
  cachedTokens: 0,
  outputTokens: 1,
  cost: 1,
  isReported: true,
};

async function readAll(all: Everything): Promise<unknown> {
  const { store, runs, settings, knowledge, skills, memory, ownerId } = all;
  const sql = fencedTo(database.sql, ownerId);
  const ofSession = async (id: string) => {
    const messages = store.messages(id);
    return Promise.all([
      store.sessions.get(id),
      store.sessions.forks(id),
      all.parts.newest(id),
      messages.getHistory(),
      messages.getMessage("q1"),
      messages.getLatestLeaf(),
      messages.getBranches("a1"),
      messages.getSiblings("q2"),
      messages.getRoots(),
      messages.getLeaves(),
      messages.getTree(),
      messages.getWindow(),
      messages.getWindow({ leafId: "q2", overlays: false }),
      messages.getPathLength("q2"),
      messages.getLeafUnder("q1"),
      messages.getRecentHistory(10_000),
      Array.fromAsync(messages.iterateHistory({ batchSize: 1 })),
      messages.getCompactions(),
      messages.getLoadedSkills(),
      messages.searchMessages("first", { forgiving: true }),
      store.promptCache(id).get(),
      store.proposals.list({ sessionId: id }),
    ]);
  };
  return Promise.all([
    ofSession("s"),
    ofSession("f"),
    store.sessions.list(),
    store.proposals.list(),
    store.sessions.search("answer OR summary", { limit: 50 }),
    store.sessions.search("answr", { forgiving: true }),
    store.sessions.searchTitles("Title", 10),
    memory.read(),
    memory.versions(),
    knowledge.entries(),
    knowledge.find("text"),
    knowledge.search("text"),
    knowledge.entryVersions("k"),
    skills.entries(),
    skills.load("k"),
    searchAllDocuments(sql, ownerId, parseQuery("memory OR text OR guide"), { limit: 50 }),
    all.blocks.writesOf("s", "a2"),
    runs.get("a2"),
    runs.running(),
    runs.running("s"),
    runs.marks(["s"]),
    runs.openSummaries("s"),
    runs.newestSummary("s"),
    runs.readChunks("a2", 0),
    runs.receiptOf("s", "a2"),
    settings.read(),
    settings.secrets(),
    all.blocks.list("s"),
    all.blocks.list("f"),
    all.usage.sums({ timeZone: "UTC", days: null }),
    all.consents.list("s"),
    all.keys.list(),
    all.keys.get("k"),
    all.shares.list(),
    all.shares.get("share"),
    all.files.get(file.sha256),
    all.files.pages(file.sha256),
    all.files.list([file.sha256]),
    knowledgeFilesNamed(sql, ownerId, file.sha256),
    filesOfPath(sql, ownerId, { sessionId: "s", leafId: "q2", most: 9 }),
    searchPages(sql, ownerId, parseQuery("walrus pelican"), {
      scope: { ofPlace: true, files: [{ ...file, name: "Named" }] },
      limit: 9,
    }),
  ]);
}

/** Every row of an owner, in every table. */
async function rowsOf(ownerId: string): Promise<Record<string, unknown[]>> {
  const { sql } = database;
  const rows: Record<string, unknown[]> = {};
  for (const { name } of await tablesOfOwners()) {
    const found = await sql`
      select to_jsonb(each) as row from ${identifier(name)} each where owner_id = ${ownerId} order by to_jsonb(each)::text`;
    rows[name] = [...found];
  }
  return rows;
}

function tablesOfOwners(): Promise<{ name: string }[]> {
  return database.sql<{ name: string }[]>`
    select columns.table_name as name from information_schema.columns
    join pg_class on pg_class.relname = columns.table_name and not pg_class.relispartition
    where columns.table_schema = 'public' and columns.column_name = 'owner_id'
      -- Of owners who are being deleted.
      and columns.table_name <> 'chat_clearing'
    order by 1`;
}

/** Every write, with another owner's ids where the server creates them. */
async function writeAll(
  all: Everything,
  own: Awaited<ReturnType<typeof fill>>,
  foreign: Awaited<ReturnType<typeof fill>>,
): Promise<void> {
  const { store, runs, settings, knowledge, skills, memory } = all;
  const messages = store.messages("s");
  await expect(messages.restoreMessages(foreign.deletionId)).rejects.toThrow();
  await expect(messages.removeCompaction(foreign.compactionId)).rejects.toThrow();
  await expect(messages.updateCompaction(foreign.compactionId, "x")).rejects.toThrow();
  const acceptForeign = () => memory.set("x", { provenance: { author: "model", ...foreign } });
  await expect(acceptForeign()).rejects.toThrow();
  await expect(store.proposals.accept(foreign.proposalId, async () => 1)).rejects.toThrow();
  await expect(store.proposals.decline(foreign.proposalId)).rejects.toThrow();
  expect(await store.proposals.get(foreign.proposalId)).toBeNull();
  await store.proposals.decline(own.proposalId);
  await expect(all.blocks.restore(foreign.goneBlock)).rejects.toThrow();
  await expect(all.blocks.change(foreign.rulesBlock, { maxTokens: 5 })).rejects.toThrow();
  await expect(all.blocks.delete(foreign.planBlock)).rejects.toThrow();
  await all.blocks.change(own.rulesBlock, { maxTokens: 5 });
  await all.blocks.change(own.planBlock, { label: "scheme" });
  await all.blocks.delete(own.rulesBlock);
  await all.blocks.restore(own.goneBlock);
  await all.blocks.ensure([{ ...rules, label: "own" }]);
  await messages.updateMessage(user("q1", "Rewritten"));
  await messages.setPinned("q1", false);
  await messages.setLabel("q1", "Other label");
  await messages.setActiveLeaf("q2");
  await messages.recordSkillEvent({ label: "skills", key: "k" }, "unload");
  await messages.updateCompaction(own.compactionId, "Shorter");
  await messages.removeCompaction(own.compactionId);
  await messages.restoreCompaction(own.compactionId);
  await messages.restoreMessages(own.deletionId);
  await messages.deleteMessages(["q1", "a1"]);
  await store.messages("f").updateMessage(user("q2", "Rewritten in the fork"));
  await store.messages("f").clearMessages();
  await messages.clearMessages();
  await store.promptCache("s").set("x");
  await all.parts.add("s", { id: "x", prompt: "x" });
  await store.sessions.update("s", { name: "x", tags: [], archived: true, metadata: { x: 1 } });
  await store.sessions.addUsage("s", { inputTokens: 1, outputTokens: 1, cost: 1 });
  await memory.set("x");
  await knowledge.remove("k");
  await skills.write("k", { title: "x", content: "x" });
  const started = { ...run, id: "x", messageId: "x", reserved: 1 };
  const budget = { ownerIds: [all.ownerId], messages: 9, dollars: 9, keyDollars: null };
  const within = { leaseMs: 60_000, maxRunning: 100 };
  expect(await runs.startWithin(budget, started, within)).toMatchObject({ started: true });
  await runs.heartbeat({ id: "a2", fence: 0 }, 1);
  await runs.requestStop("a2");
  await runs.appendChunks("a2", 1, ["x"]);
  await runs.finish("a2", "failed", { receipt: { x: 1 } });
  await runs.forgetSummary("c2");
  await all.consents.allow("s", { tool: "x", version: "x" });
  await settings.change({});
  await settings.removeSecret("n");
  await all.usage.record({ ...call, id: "x", keyId: "k" });
  await all.keys.add({ id: "x", name: "x", hash: "x", hint: "x", scopes: {} });
  await all.keys.revoke("k");
  for (const held of [own.held, foreign.held].flatMap((each) => each ?? [])) {
    await all.requests.renew(held, 1);
    await all.requests.release(held);
    await all.requests.begin(held);
    await all.requests.end(held, { status: 200, answer: "x" });
  }
  await all.requests.claim({ id: "r", digest: "x" }, 1);
  await all.files.touch([file.sha256]);
  await all.shares.change(
    "share",
    { title: "x" },
    { page: Buffer.from("x"), copy: Buffer.from("x") },
  );
  await all.shares.remove("share");
  await store.sessions.delete("f");
  await store.sessions.delete("s");
}

describe("two owners with the same ids everywhere", () => {
  test("read nothing of each other, and change nothing of each other", {
    tags: "long",
  }, async () => {
    const [mine, theirs] = [everythingOf("mine"), everythingOf("theirs")];
    const own = await fill(mine, "walrus");
    const foreign = await fill(theirs, "pelican");
    expect(JSON.stringify(await readAll(mine))).not.toMatch(/pelican/i);
    const seen = await readAll(theirs);
    expect(JSON.stringify(seen)).not.toMatch(/walrus/i);
    const rows = await rowsOf("theirs");
    expect(Object.entries(rows).filter(([, each]) => each.length === 0)).toEqual([]);
    await writeAll(mine, own, foreign);
    expect(await rowsOf("theirs")).toEqual(rows);
    expect(await readAll(theirs)).toEqual(seen);
  });

  test("an owner who has nothing reads nothing and can write nothing of others", async () => {
    await fill(everythingOf("somebody"), "heron");
    const rows = await rowsOf("somebody");
    const nobody = everythingOf("nobody");
    const messages = nobody.store.messages("s");
    expect(await messages.getHistory()).toEqual([]);
    expect(await nobody.store.sessions.search("heron")).toEqual([]);
    expect(await nobody.runs.get("a2")).toBeNull();
    expect(await nobody.runs.requestStop("a2")).toBe(false);
    expect(await nobody.runs.markRead("s")).toBe(false);
    expect(await nobody.runs.forgetSummary("c2")).toBe(false);
    expect(await nobody.runs.heartbeat({ id: "a2", fence: 0 }, 1)).toBeNull();
    expect(await nobody.files.get(file.sha256)).toBeNull();
    expect(await nobody.files.touch([file.sha256])).toEqual([]);
    expect(await nobody.files.chunks(file.sha256)).toBeNull();
    expect(await nobody.keys.get("k")).toBeNull();
    expect(await nobody.keys.revoke("k")).toBe(false);
    await expect(messages.appendMessage(user("q1"))).rejects.toThrow();
    await expect(messages.updateMessage(user("q1", "x"))).rejects.toThrow();
    await expect(messages.setActiveLeaf("q1")).rejects.toThrow();
    await expect(nobody.store.sessions.fork("s", "q1", "x")).rejects.toThrow();
    expect(await nobody.store.sessions.delete("s")).toBe(false);
    expect(await nobody.store.sessions.delete("s", { permanently: true })).toBe(false);
    expect(await nobody.store.sessions.purge(-60_000)).toEqual([]);
    expect(await rowsOf("somebody")).toEqual(rows);
  });
});

interface Made extends Record<"deletion" | "compaction" | "proposal", string[]> {
  readonly block: BlockKey[];
}
type Step = (all: Everything, word: string, random: Random, made: Made) => Promise<unknown>;

const q = (random: Random) => random.of(["q1", "q2"]);
const s = (random: Random) => random.of(["s", "f"]);
const one = (random: Random, ids: readonly string[]) => random.of(["none", ...ids]);
const foreignTo = (word: string) => (word.startsWith("walrus") ? /pelican\d/ : /walrus\d/);

/** Ids that the server makes are given to both owners. */
const steps: readonly [Step, ...Step[]] = [
  ({ store }, word, random) => store.sessions.create(word, { id: s(random) }),
  ({ store }, word, random) => store.messages(s(random)).appendMessage(user(q(random), word)),
  ({ store }, word) => store.messages("s").appendMessage(assistant("a1", word), "q1"),
  async ({ store }, _, random, { deletion }) =>
    deletion.push((await store.messages("s").deleteMessages([q(random)])).deletionId),
  ({ store }, _, random, made) => store.messages("s").restoreMessages(one(random, made.deletion)),
  async ({ store }, word, _, { compaction }) =>
    compaction.push((await store.messages("s").addCompaction(word, "q1", "a1")).id),
  ({ store }, word) => store.sessions.fork("s", "q1", word, { id: "f" }),
  ({ store }, _, random) => store.sessions.delete(s(random)),
  ({ store }) => store.sessions.search("walrus OR pelican", { limit: 50 }),
  ({ memory }, word) => memory.set(word, { provenance }),
  ({ knowledge, skills }, word, random) =>
    (random.below(2) === 0 ? knowledge : skills).write("k", { title: word, content: word }),
  async ({ blocks }, description, _, made) =>
    made.block.push(await blocks.create({ ...rules, description })),
  async ({ blocks }, description, random, { block: [first, ...others] }) =>
    first && blocks.change(random.of([first, ...others]), { description }),
  async ({ blocks }, _, random, { block: [first, ...others] }) =>
    first && blocks.delete(random.of([first, ...others])),
  async ({ store }, word, _, made) =>
    made.proposal.push((await store.proposals.add(proposed(word))).id),
  ({ store }, _, random, { proposal }) => store.proposals.get(one(random, proposal)),
  ({ store }, _, random, { proposal }) => store.proposals.decline(one(random, proposal)),
  ({ runs }, model) => runs.start({ ...run, model }, 60_000, { maxRunning: 100 }),
  ({ settings }, word) => settings.change({ word }),
];

test("random programs of two owners with the same ids are never mixed", async () => {
  const named = (word: string) => ({ all: everythingOf(word), word });
  await trySeeds(20, async (random, seed) => {
    const owners = [named(`walrus${seed}`), named(`pelican${seed}`)] as const;
    const made: Made = { deletion: [], compaction: [], block: [], proposal: [] };
    for (let step = 0; step < 40; step++) {
      const { all, word } = random.of(owners);
      const said = await random.of(steps)(all, word, random, made).catch(String);
      expect(JSON.stringify(said) ?? "").not.toMatch(foreignTo(word));
    }
  });
  const filled: string[] = [];
  for (const { name } of await tablesOfOwners()) {
    const [row] = await database.sql<{ mixed: number | null }[]>`
      select ((count(*) filter (where to_jsonb(each)::text ~
        case when owner_id like 'walrus%' then 'pelican' else 'walrus' end)) / nullif(count(*), 0)::float8) as mixed
      from ${identifier(name)} each where owner_id ~ '^(walrus|pelican)[0-9]'`;
    expect([name, row?.mixed ?? 0]).toEqual([name, 0]);
    if (row?.mixed === 0) filled.push(name);
  }
  expect(filled.length).toBeGreaterThan(9);
});
