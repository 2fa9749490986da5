import type { SessionMessage } from "grove-session";
import type { PostgresSessionStore, Sql } from "grove-session/postgres";
import { neededId, type PairNeed, type PairPlace, pairLine } from "./pair-writes";

export type PairChat = "first" | "second" | "third";

export interface PairChats {
  readonly sql: Sql;
  readonly store: PostgresSessionStore;
  /** Every id of the three begins with it. */
  readonly name: string;
  readonly model: string;
}

/** Makes three chats, each with a summary, notes, facts, a message that was deleted, and all that lies beside the line. */
export async function makePairChats(chats: PairChats): Promise<Map<PairChat, PairPlace>> {
  const { store, name, model } = chats;
  const ids = { first: `${name}-first`, second: `${name}-second`, third: `${name}-third` };
  await store.sessions.create(name, { id: ids.first });
  const messages = store.messages(ids.first);
  await messages.appendMessages([...pairLine.slice(0, 3), "gap", ...pairLine.slice(3)].map(said));
  await messages.appendMessage(said("side"), "m1", { activate: false });
  await messages.deleteMessages(["gap"], { deletionId: `gap-${name}` });
  const { id: compactionId } = await messages.addCompaction("Summary", "m1", "m2");
  const usual = {
    ...{ sessionId: ids.first, description: "", scope: "session" as const },
    ...{ writers: "both" as const, maxTokens: 1_000 },
  };
  const notes = await store.blocks.create({ ...usual, label: "notes", kind: "writable" });
  const facts = await store.blocks.create({ ...usual, label: "facts", kind: "searchable" });
  const ref = { blockId: facts.id, label: "facts", sessionId: ids.first };
  await store.blocks.searchable(ref).write("tea", { title: "Tea", content: "Green" });
  await deleteOne(chats, ids.first);
  await store.sessions.fork(ids.first, "m6", name, { id: ids.second, withSideBranches: true });
  await deleteOne(chats, ids.second);
  await store.sessions.fork(ids.second, "m6", name, { id: ids.third });
  await deleteOne(chats, ids.third);
  const place = (chat: PairChat): [PairChat, PairPlace] => {
    const places = { chat: ids[chat], deletionId: goneId(ids[chat]), compactionId };
    return [chat, { ...places, name, notesId: notes.id, factsId: facts.id, model }];
  };
  return new Map([place("first"), place("second"), place("third")]);
}

function said(id: string): SessionMessage {
  const isQuestion = id === "gap" || Number(id.slice(1)) % 2 === 1;
  return { id, role: isQuestion ? "user" : "assistant", parts: [{ type: "text", text: id }] };
}

function goneId(chat: string): string {
  return `gone-${chat}`;
}

/** A branch under m5. */
async function deleteOne({ store }: PairChats, chat: string): Promise<void> {
  const messages = store.messages(chat);
  await messages.appendMessage(said(goneId(chat)), "m5", { activate: false });
  await messages.deleteMessages([goneId(chat)], { deletionId: goneId(chat) });
}

export async function makeNeeded(
  { sql, store, model }: PairChats,
  need: PairNeed,
  { chat, notesId }: PairPlace,
): Promise<void> {
  const id = neededId(need, chat);
  if (need === "proposal") {
    await store.proposals.add({
      ...{ id, sessionId: chat, messageId: null, program: null, blockId: notesId, key: null },
      ...{ title: null, description: null, action: "append", content: "Held", baseVersion: 0 },
    });
    return;
  }
  if (need === "pause")
    await store.messages(chat).appendMessage(pausedAnswer(id), "m1", { activate: false });
  const kind = need === "failed-summary" ? "summary" : "answer";
  const status = { pause: "paused", question: "running", "failed-summary": "failed" }[need];
  await sql`
    insert into chat_run (
      owner_id, run_id, kind, session_id, message_id, parent_id, model, status, lease_until, pause, questions
    )
    values (
      ${store.ownerId}, ${id}, ${kind}, ${chat}, ${id}, 'm1', ${model}, ${status}, now() + interval '1 hour',
      ${need === "pause" ? JSON.stringify(pause) : null}::text::jsonb,
      ${need === "question" ? JSON.stringify({ question: { question } }) : null}::text::jsonb
    )
    on conflict do nothing`;
}

const pause = {
  number: 1,
  calls: [{ approvalId: "approval", toolCallId: "call", decision: null }],
};
const question = {
  ...{ id: "question", until: "2100-01-01T00:00:00.000Z" },
  ask: { kind: "form", message: "Which?", fields: [] },
};

function pausedAnswer(id: string): SessionMessage {
  const call = {
    ...{ type: "tool-weather", toolCallId: "call", input: { city: "Rome" } },
    ...{ state: "approval-requested", approval: { id: "approval" } },
  };
  const metadata = { status: "paused", runId: id, pausedAt: "2026-01-01T00:00:00.000Z" };
  return { id, role: "assistant", parts: [{ type: "step-start" }, call], metadata };
}

/** Ends what asks questions for ever. */
export async function endQuestions({
  sql,
  store,
}: Pick<PairChats, "sql" | "store">): Promise<void> {
  await sql`
    update chat_run set status = 'stopped', finished_at = now()
    where owner_id = ${store.ownerId} and status = 'running' and starts_with(run_id, 'question-')`;
}

export async function removePairChats({
  sql,
  store,
}: Pick<PairChats, "sql" | "store">): Promise<void> {
  for (let pass = 0; pass < mostPasses; pass++) {
    const [row] = await sql<[{ removed: string[] }]>`
      select chat_remove_all(
        ${store.ownerId}, array(select session_id from chat_session where owner_id = ${store.ownerId})
      ) as removed`;
    const [left] = await sql`select from chat_session where owner_id = ${store.ownerId} limit 1`;
    if (!left || row.removed.length === 0) return;
  }
}

const mostPasses = 20;
