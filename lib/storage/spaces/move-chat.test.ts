import type { SessionMessage } from "grove-session";
import { user } from "grove-session/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { readFile } from "@/lib/chat/core/file-store";
import { asPerson, asSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import { assistantIn } from "@/lib/chat/core/settings-store";
import { exported } from "@/lib/chat/data/testing/compared-exports";
import { makeRandomAccount } from "@/lib/chat/data/testing/random-account";
import { Memory } from "@/lib/chat/memory/memory";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { assistantsLabel } from "@/lib/chat/wire/assistants";
import { brokenInvariants } from "@/lib/postgres/testing/broken-invariants";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import type { Random } from "@/lib/text/testing/random";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import { MissingProjectError, moveChat, movedTo } from "./move-chat";

const canary = "A canary in memory";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Places {
  readonly personId: ReturnType<typeof asPerson>;
  readonly own: OwnerServices;
  readonly project: OwnerServices;
}

async function places(): Promise<Places> {
  const { sql } = database;
  const personId = asPerson(crypto.randomUUID());
  const spaceId = asSpace(`p-${crypto.randomUUID()}`);
  await sql`insert into account_space (space_id, name, made_by) values (${spaceId}, 'Tea', ${personId})`;
  await sql`insert into account_member (person_id, space_id, role) values (${personId}, ${spaceId}, 'owner')`;
  return {
    personId,
    own: newOwner(sql, personId),
    project: newOwner(sql, spaceId, { personId, spaceId }),
  };
}

function move(
  { personId }: Places,
  sessionId: string,
  [from, to]: readonly [OwnerServices, OwnerServices],
): Promise<boolean> {
  return moveChat(database.sql, { personId, from: from.spaceId, to: to.spaceId, sessionId });
}

/** All rows of a chat, apart from what stays: owner, ids of branches, numbers of the index of words. */
async function rowsOf(spaceId: SpaceId, sessionId: string): Promise<unknown> {
  const [row] = await database.sql`
    with branch as (
      select branch.*, row_number() over (order by base, head, touched) as n
      from chat_branch branch where owner_id = ${spaceId} and session_id = ${sessionId}
    )
    select
      (select to_jsonb(its) - 'owner_id' - 'active_branch' - 'frozen_prompt' - 'frozen_versions'
        from chat_session its where owner_id = ${spaceId} and session_id = ${sessionId}) as session,
      (select branch.n from branch join chat_session its on its.owner_id = branch.owner_id and its.session_id = branch.session_id and its.active_branch = branch.branch_id) as active,
      (select jsonb_agg(to_jsonb(branch) - 'owner_id' - 'branch_id' - 'parent_branch' || jsonb_build_object('parent', parent.n) order by branch.n)
        from branch left join branch parent on parent.branch_id = branch.parent_branch) as branches,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' - 'branch_id' || jsonb_build_object('on', branch.n) order by ordinal, id)
        from chat_message its join branch using (owner_id, branch_id)) as messages,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' - 'branch_id' - 'seq' || jsonb_build_object('on', branch.n) order by branch.n, pos, compaction_id)
        from chat_search its join branch using (owner_id, branch_id)) as words,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' - 'branch_id' || jsonb_build_object('on', branch.n) order by branch.n, compaction_id)
        from chat_compaction its join branch using (owner_id, branch_id)) as summaries,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' - 'branch_id' || jsonb_build_object('on', branch.n) order by branch.n, pos, event_id, its.n)
        from chat_skill_event its join branch using (owner_id, branch_id)) as skills,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' order by run_id) from chat_run its where owner_id = ${spaceId} and session_id = ${sessionId}) as runs,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' order by block_id) from chat_block its where owner_id = ${spaceId} and session_id = ${sessionId}) as blocks,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' order by block_id, key) from chat_document its where owner_id = ${spaceId} and session_id = ${sessionId}) as documents,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' order by block_id, key, version) from chat_document_version its where owner_id = ${spaceId} and session_id = ${sessionId}) as versions,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' order by deletion_id) from chat_deletion its where owner_id = ${spaceId} and session_id = ${sessionId}) as deletions,
      (select jsonb_agg(to_jsonb(its) - 'owner_id' order by proposal_id) from chat_proposal its where owner_id = ${spaceId} and session_id = ${sessionId}) as proposals`;
  return row;
}

const answer: SessionMessage = {
  ...{ id: "answer", role: "assistant", parts: [{ type: "text", text: "Noted" }] },
  metadata: {
    writes: [
      { blockId: "memory", label: "memory", version: 3 },
      { blockId: "todos", label: "todos", version: 1 },
    ],
    proposals: [{ id: "of-memory", blockId: "memory", label: "memory" }],
  },
};

const sent = { leafId: "m1", ids: [], roles: "", tokens: [], digests: "", shortened: {} };

/** A chat with all that one can have. @returns the hash of its file. */
async function fill({ own }: Places, sessionId = "s", count = 20): Promise<string> {
  const { store, blocks, spaceId } = own;
  const bytes = Buffer.alloc(1_200_000, crypto.randomUUID());
  const { sha256 } = await own.files.put(bytes, { name: "notes.txt" });
  await store.sessions.create("Tea", { id: sessionId, metadata: { memoryMode: "off" } });
  const messages = store.messages(sessionId);
  await messages.appendMessages(
    Array.from({ length: count }, (_, n) => user(`m${n}`, `Message ${n} “quoted” \\u0041\n\t`)),
  );
  const file = { type: "file", url: `grove-file:${sha256}`, mediaType: "text/plain" };
  await messages.appendMessage({ id: "file", role: "user", parts: [file] });
  await messages.appendMessage(answer, `m${count - 1}`);
  await messages.appendMessage(user("root", "Another root"), null);
  await messages.setActiveLeaf("file");
  await messages.addCompaction("A summary", "m2", "m5");
  await messages.deleteMessages(["m8", "m9"], { deletionId: "deletion" });
  await messages.setLabel("m4", "A name");
  await blocks.text({ label: "todos", sessionId }).set("Buy tea");
  const plans = { label: "plans", kind: "writable", scope: "session", writers: "both" } as const;
  await blocks.create({ ...plans, id: "plans", sessionId, description: "", maxTokens: null });
  for (const text of ["First", "Second"])
    await blocks.text({ blockId: "plans", sessionId }).set(text);
  const about = { sessionId, messageId: "answer", key: null, title: null, description: null };
  const rest = { action: "append", content: "More", baseVersion: 1, program: null } as const;
  for (const blockId of ["plans", "memory"])
    await store.proposals.add({ ...about, ...rest, blockId, id: `of-${blockId}` });
  const receipt = JSON.stringify({ prompt: canary, sent, cost: 0.1 });
  await database.sql`
    insert into chat_run (owner_id, run_id, session_id, message_id, parent_id, model, status, lease_until, receipt)
    values (${spaceId}, 'run', ${sessionId}, 'answer', 'm1', 'demo/demo', 'complete', now(), ${receipt}::text::jsonb)`;
  return sha256;
}

async function idsIn({ store }: OwnerServices, sessionId: string): Promise<string[]> {
  if (!(await store.sessions.get(sessionId))) return [];
  const { entries } = await store.messages(sessionId).getWindow({ limit: 5_000, overlays: false });
  return entries.map(({ message }) => message.id);
}

const unbroken = async () => expect(await brokenInvariants(database.sql)).toEqual([]);

test("a chat of 1,000 messages goes to a project with all that it has, and comes back as it was", {
  tags: "long",
}, async () => {
  const at = await places();
  const { own, project } = at;
  const sha256 = await fill(at, "s", 1_000);
  const before = await rowsOf(own.spaceId, "s");
  expect(await move(at, "s", [own, project])).toBe(true);
  expect(await own.store.sessions.get("s")).toBeNull();
  const place = { spaceId: own.spaceId, sessionId: "s" };
  expect(await movedTo(database.sql, place)).toBe(project.spaceId);
  const window = await project.store.messages("s").getWindow({ limit: 2_000, overlays: false });
  expect(window.entries).toHaveLength(999);
  const read = await Promise.all([own, project].map(({ files }) => readFile(files, sha256)));
  expect(read[1]).toEqual(read[0]);
  expect(await project.files.pages(sha256)).toEqual(await own.files.pages(sha256));
  expect(await project.store.sessions.search("quoted", { limit: 5 })).toHaveLength(5);
  await unbroken();
  expect(await move(at, "s", [project, own])).toBe(true);
  expect(await rowsOf(own.spaceId, "s")).toEqual(before);
  await unbroken();
});

test("what it wrote to memory elsewhere keeps its place, and no row of the project holds that memory", {
  tags: "long",
}, async () => {
  const at = await places();
  const { own, project, personId } = at;
  await fill(at);
  await move(at, "s", [own, project]);
  const moved = await project.store.messages("s").getMessage("answer");
  expect(moved?.metadata).toMatchObject({
    writes: [{ blockId: "memory", space: own.spaceId }, { blockId: "todos" }],
    proposals: [{ space: own.spaceId }],
  });
  expect(moved?.metadata).not.toHaveProperty("writes.1.space");
  const open = await own.store.proposals.list({ status: "open" });
  expect(open.map(({ id }) => id)).toEqual(["of-memory"]);
  expect((await project.store.proposals.list()).map(({ id }) => id)).toEqual(["of-plans"]);
  expect(JSON.stringify(await rowsOf(project.spaceId, "s"))).not.toContain(canary);
  const personal = { isOn: true, own, parts: project.personalParts };
  const there = await receiptOf({ ...project, personal }, "s", "answer");
  expect(there).toMatchObject({ prompt: canary });
  expect(await project.personalParts.newest("s")).toBeNull();
  const [run] =
    await database.sql`select person_id from chat_run where owner_id = ${project.spaceId}`;
  expect(run).toEqual({ person_id: personId });
  await move(at, "s", [project, own]);
  const back = await own.store.messages("s").getMessage("answer");
  expect(back?.metadata).toEqual(answer.metadata);
  expect(await receiptOf(own, "s", "answer")).toMatchObject({ prompt: canary });
});

test("an assistant answers on where the same text is, and never under the name of another", {
  tags: "long",
}, async () => {
  const at = await places();
  const { own, project } = at;
  const write = (key: string, content: string, place: OwnerServices) =>
    new Memory(place, null).writeEntry(assistantsLabel, key, {
      ...{ title: key, content, expectedVersion: null },
    });
  await write("poet", "You write poems.", own);
  await write("poet", "You sell cars.", project);
  for (const place of [own, project]) await write("author", "You write.", place);
  const poet = { key: "poet", version: 1, name: "Poet" };
  const same = { ...poet, key: "author", name: "Author" };
  for (const assistant of [poet, same]) {
    const id = assistant.key;
    await own.store.sessions.create("Tea", { id, metadata: { assistant } });
    const asked = { ...user("q", "Why?"), metadata: { assistant } };
    await own.store.messages(id).appendMessage(asked);
  }
  const named = async (key: string, { store }: OwnerServices) => [
    (await store.sessions.get(key))?.metadata.assistant,
    (await store.messages(key).getMessage("q"))?.metadata,
  ];
  for (const { key } of [poet, same]) await move(at, key, [own, project]);
  const elsewhere = { ...poet, space: own.spaceId };
  expect(await named("poet", project)).toEqual([elsewhere, { assistant: elsewhere }]);
  expect(assistantIn({ assistant: elsewhere })).toBeNull();
  expect(await named("author", project)).toEqual([same, { assistant: same }]);
  for (const { key } of [poet, same]) await move(at, key, [project, own]);
  expect(await named("poet", own)).toEqual([poet, { assistant: poet }]);
  expect(await named("author", own)).toEqual([same, { assistant: same }]);
  await unbroken();
});

test("a deleted message comes back in the project, and the chat's own blocks keep their versions", {
  tags: "long",
}, async () => {
  const at = await places();
  const { own, project } = at;
  await fill(at);
  await move(at, "s", [own, project]);
  await project.store.messages("s").restoreMessages("deletion");
  expect(await idsIn(project, "s")).toContain("m8");
  const texts = await project.blocks.text({ blockId: "plans", sessionId: "s" }).versions();
  expect(texts.map(({ content }) => content)).toEqual(["Second", "First"]);
  expect(await project.blocks.text({ label: "todos", sessionId: "s" }).get()).toBe("Buy tea");
  await unbroken();
});

test("forks on both sides keep what they borrowed, and their place once it comes back", async () => {
  const at = await places();
  const { own, project } = at;
  await own.store.sessions.create("Source", { id: "source" });
  await own.store
    .messages("source")
    .appendMessages([user("a", "1"), user("b", "2"), user("c", "3")]);
  await own.store.sessions.fork("source", "b", "Fork", { id: "fork" });
  await own.store.messages("fork").appendMessage(user("d", "4"));
  await own.store.sessions.fork("fork", "d", "Leaf", { id: "leaf" });
  await own.store.messages("leaf").appendMessage(user("e", "5"));
  await move(at, "fork", [own, project]);
  await unbroken();
  expect(await idsIn(project, "fork")).toEqual(["a", "b", "d"]);
  expect(await idsIn(own, "leaf")).toEqual(["a", "b", "d", "e"]);
  await project.store.sessions.fork("fork", "b", "There", { id: "there" });
  await own.store.messages("source").deleteMessages(["a"]);
  expect(await idsIn(project, "there")).toEqual(["a", "b"]);
  await move(at, "fork", [project, own]);
  await unbroken();
  expect(await idsIn(own, "fork")).toEqual(["a", "b", "d"]);
  expect(await idsIn(project, "there")).toEqual(["a", "b"]);
  const lineage = async (id: string) => (await own.store.sessions.get(id))?.parentSessionId;
  expect([await lineage("fork"), await lineage("leaf")]).toEqual(["source", "fork"]);
});

test("a file that an answer only cites goes along", async () => {
  const at = await places();
  const { own, project } = at;
  const { sha256 } = await own.files.put(Buffer.from(crypto.randomUUID()), { name: "crop.txt" });
  await own.store.sessions.create("Tea", { id: "s" });
  const cited = `[crop.txt, p. 1](grove-file:${sha256.slice(0, 12)}#page=1)`;
  const parts = [{ type: "text", text: `As ${cited} says.` }];
  await own.store.messages("s").appendMessage({ id: "a", role: "assistant", parts });
  expect(await move(at, "s", [own, project])).toBe(true);
  expect(await project.files.get(sha256)).not.toBeNull();
});

test("it is refused while an answer is written or waits, and nothing changes", async () => {
  const at = await places();
  const { own, project } = at;
  await own.store.sessions.create("Tea", { id: "s" });
  await own.store.messages("s").appendMessage(user("q", "Why?"));
  const run = { id: "r", sessionId: "s", messageId: "a", parentId: "q", model: "m" };
  await own.runs.start(run, 9_000, { maxRunning: 9 });
  expect(await move(at, "s", [own, project])).toBe(false);
  expect(await idsIn(own, "s")).toEqual(["q"]);
  await own.runs.finish("r", "stopped", {});
  expect(await move(at, "s", [own, project])).toBe(true);
});

test("a copy with its id, a deleted project and an unknown chat refuse it", async () => {
  const at = await places();
  const { own, project } = at;
  await own.store.sessions.create("Tea", { id: "s" });
  await project.store.sessions.create("Copy", { id: "s" });
  await expect(move(at, "s", [own, project])).rejects.toMatchObject({ code: "session-exists" });
  expect((await project.store.sessions.get("s"))?.name).toBe("Copy");
  await project.store.sessions.delete("s");
  await expect(move(at, "s", [own, project])).rejects.toMatchObject({ code: "session-exists" });
  await expect(move(at, "?", [own, project])).rejects.toMatchObject({ code: "session-not-found" });
  await database.sql`update account_space set deleted_at = now() where space_id = ${project.spaceId}`;
  await expect(move(at, "s", [own, project])).rejects.toBeInstanceOf(MissingProjectError);
  expect((await own.store.sessions.get("s"))?.name).toBe("Tea");
});

test("of two moves at once one wins, and the chat is in one place", { tags: "long" }, async () => {
  const at = await places();
  const other = await places();
  const { own, project } = at;
  await fill(at);
  const { project: second } = other;
  await database.sql`
    insert into account_member (person_id, space_id, role) values (${at.personId}, ${second.spaceId}, 'owner')`;
  const ends = await Promise.allSettled([
    move(at, "s", [own, project]),
    move(at, "s", [own, second]),
    move(at, "s", [own, project]),
  ]);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const found = await Promise.all(
    [own, project, second].map(({ store }) => store.sessions.get("s")),
  );
  expect(found.filter((each) => each !== null)).toHaveLength(1);
  await unbroken();
});

test("a chat that was moved away is neither written to, restored, deleted nor imported over", {
  tags: "long",
}, async () => {
  const at = await places();
  const { own, project } = at;
  await fill(at);
  await move(at, "s", [own, project]);
  const gone = { code: "session-not-found" };
  const messages = own.store.messages("s");
  await expect(messages.appendMessage(user("late", "Late"))).rejects.toMatchObject(gone);
  await expect(own.store.sessions.restore("s")).rejects.toMatchObject(gone);
  expect(await own.store.sessions.delete("s", { deletionId: "d" })).toBe(false);
  await expect(own.store.sessions.create("Again", { id: "s" })).rejects.toMatchObject({
    code: "session-exists",
  });
  const text = own.blocks.text({ label: "todos", sessionId: "s" });
  await expect(text.set("Late")).rejects.toMatchObject({ code: "block-not-found" });
  expect(await own.deletions.list({ limit: 9 })).toEqual([]);
});

test("every table with rows of a chat goes along, or stays on purpose", async () => {
  const tables = await database.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'session_id' and table_name ~ '^chat_(?!search_)'
    order by table_name collate "C"`;
  const goes = [...copied, ...ofMemory].map((name) => `chat_${name}`);
  const stays = ["chat_consent", "chat_usage", "chat_share", "chat_personal_prompt"];
  expect(tables.map(({ name }) => name)).toEqual([...goes, ...stays].toSorted());
});

const copied = ["session", "branch", "message", "search", "skill_event", "compaction", "run"];
const ofMemory = ["block", "document", "document_version", "deletion", "proposal"];

/** Ends the connection of a move at its first row of a table, on its way or behind it. */
const points = [...copied, ...ofMemory].flatMap((table) =>
  table === "session"
    ? [
        { table, when: "insert" },
        { table, when: "update" },
      ]
    : [
        { table, when: "insert" },
        { table, when: "delete" },
      ],
);

test("a crash at any point of a move under four writers loses and doubles no message", {
  tags: "long",
}, async () => {
  const at = await places();
  const { own, project } = at;
  await fill(at);
  await own.store.messages("s").recordSkillEvent({ label: "skills", key: "tea" }, "load");
  await own.store.sessions.fork("s", "m4", "Fork", { id: "fork" });
  const { sql } = database;
  await sql.unsafe(`
      create function crash() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`);
  const kept: string[] = [];
  const isOver = new AbortController();
  const write = async (writer: number) => {
    for (let n = 0; !isOver.signal.aborted; n++) {
      const id = `w${writer}-${n}`;
      try {
        await own.store.messages("s").appendMessage(user(id, id), "m19");
        kept.push(id);
      } catch (error) {
        expect(error).toMatchObject({ code: "session-not-found" });
        return;
      }
    }
  };
  const writers = [0, 1, 2, 3].map(write);
  for (const { table, when } of points) {
    const owner = when === "insert" ? project.spaceId : own.spaceId;
    const row = when === "insert" ? "new" : "old";
    const isMove = table === "session" && when === "update" ? " and new.source = 'moved'" : "";
    await sql.unsafe(`
        create trigger crash before ${when} on chat_${table} for each row
        when (${row}.owner_id = '${owner}'${isMove}) execute function crash()`);
    await expect(move(at, "s", [own, project]), `${when} ${table}`).rejects.toThrow();
    await sql.unsafe(`drop trigger crash on chat_${table}`);
    expect(await project.store.sessions.get("s")).toBeNull();
    expect(await own.store.sessions.get("s")).not.toBeNull();
  }
  await unbroken();
  expect(await move(at, "s", [own, project])).toBe(true);
  isOver.abort();
  await Promise.all(writers);
  await unbroken();
  const [here, there] = await Promise.all([own, project].map(writtenIn));
  expect(here).toEqual([]);
  expect(there).toEqual(kept.toSorted());
  expect(kept.length).toBeGreaterThan(points.length);
});

async function writtenIn({ spaceId }: OwnerServices): Promise<string[]> {
  const rows = await database.sql<{ id: string }[]>`
    select id from chat_message
    where owner_id = ${spaceId} and session_id = 's' and id like 'w%' order by id collate "C"`;
  return rows.map(({ id }) => id);
}

function shuffled(ids: readonly string[], random: Random): string[] {
  return ids.toSorted().sort(() => random.next() - 0.5);
}

test("chats of any kind come back from a project as they were", { tags: "long" }, () =>
  trySeeds(6, async (random) => {
    const at = await places();
    const { own, project } = at;
    await makeRandomAccount(own, random);
    await database.sql`update chat_session set frozen_prompt = null, frozen_versions = null where owner_id = ${own.spaceId}`;
    const [, ...before] = await exported(own);
    const ids = (
      await database.sql<{ id: string }[]>`
        select session_id as id from chat_session where owner_id = ${own.spaceId} and deleted_at is null`
    ).map(({ id }) => id);
    for (const id of shuffled(ids, random)) await move(at, id, [own, project]);
    expect(await brokenInvariants(database.sql, project.spaceId)).toEqual([]);
    expect((await own.store.sessions.list({ limit: 100 })).sessions).toEqual([]);
    for (const id of shuffled(ids, random)) await move(at, id, [project, own]);
    expect(await brokenInvariants(database.sql, own.spaceId)).toEqual([]);
    expect((await exported(own)).slice(1)).toEqual(before);
  }),
);
