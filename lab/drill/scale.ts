import type { Sql } from "postgres";
import { compareBranches } from "@/lib/chat/branches/compare-branches";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import { editAnswer } from "@/lib/chat/branches/edit-answer";
import { noteSource } from "@/lib/chat/branches/notes";
import {
  deletedPage,
  deleteSession,
  removeDeletion,
  restoreDeletion,
} from "@/lib/chat/data/deletions";
import { deleteEverything, exportEverything } from "@/lib/chat/data/portable-data";
import { searchEverything } from "@/lib/chat/sessions/search";
import {
  changeSession,
  forkSession,
  listSessions,
  sessionDetail,
} from "@/lib/chat/sessions/session-detail";
import { messagesOf, transcript } from "@/lib/chat/sessions/transcript";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { makeLargeChat, makeLargeOwner } from "@/lib/postgres/testing/large-owner";
import type { OwnerServices } from "@/lib/server/owner-services";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { type Slowdown, whileMeasuring } from "./slowdown";

export const scale: Drill = {
  name: "scale",
  promise:
    "With 100,000 chats, and a chat of 100,000 messages in 20,000 branches, everything a person does takes less than 5 s, or goes on in pieces while they watch.",
  unit: "chats",
  fullCount: 100_000,
  run: (options) =>
    onDrillDatabase(({ patientSql, connections: { sql } }) =>
      whileMeasuring((slowdown) => useLargeOwner(options, { patientSql, sql, slowdown })),
    ),
};

const owner = "large";
const chat = "long";
const withinMs = 5_000;
const exportedPerSecond = 1_000;
const messagesOfChat = 4;

interface Place {
  /** Makes the data. */
  readonly patientSql: Sql;
  /** As the app's own. */
  readonly sql: Sql;
  /** `null`: nothing is timed. */
  readonly slowdown: Slowdown | null;
}

/** A chat of as many messages as there are chats, with a branch for each five. */
export async function useLargeOwner(
  { count, signal, say }: Pick<DrillOptions, "count" | "signal" | "say">,
  { patientSql, sql, slowdown }: Place,
): Promise<DrillResult> {
  await makeLargeOwner(patientSql, { owner, chats: count, messagesOfChat });
  const branches = Math.floor(count / 5);
  await makeLargeChat(patientSql, { owner, session: chat, messages: count, branches });
  await patientSql`vacuum analyze`;
  const services = newOwner(sql, owner);
  const broken: string[] = [];
  const figures: Record<string, number> = { chats: count };
  for (const [name, act] of actions(services, { count, branches })) {
    if (signal.aborted) break;
    const startedAt = performance.now();
    try {
      await act();
    } catch (error) {
      broken.push(`${name}: ${String(error)}`);
    }
    const tookMs = performance.now() - startedAt;
    figures[`${name} (ms)`] = Math.round(tookMs);
    if (slowdown && tookMs > withinMs * slowdown.now)
      broken.push(`${name} took ${Math.round(tookMs)} ms.`);
    say(`${name}: ${Math.round(tookMs)} ms`);
  }
  const options = { slowdown, broken, figures };
  if (!signal.aborted) await exportAll(services, count, options);
  if (!signal.aborted) await deleteAll(services, options);
  return { broken, figures };
}

type Action = readonly [name: string, act: () => Promise<unknown>];

/** In an order in which each finds what it needs. */
function actions(
  services: OwnerServices,
  { count, branches }: { count: number; branches: number },
): Action[] {
  const trunk = count - 2 * (branches - 1);
  const model = resolvedModel(new ManualModel().model);
  const talk = new Conversation(services, chatProcess(), model, chat);
  const search = (input: string, sessionId: string | null) =>
    searchEverything(services, { input, sessionId, limit: 20 });
  const sideIds = Array.from({ length: Math.floor(branches / 4) }, (_, n) =>
    [1, 2].map((side) => `b${n + 1}-${side}`),
  ).flat();
  const middle = `t${2 * Math.floor(trunk / 4)}`;
  return [
    ["list chats", () => listSessions(services, { limit: 50 })],
    ["list chats of a search by title", () => search("Chat 77", null)],
    ["open a chat", () => transcript(services, chat, { limit: 50 })],
    ["read its details", () => sessionDetail(services, chat)],
    ["show its tree", async () => (await messagesOf(services, chat)).getTree()],
    ["go to a branch", async () => (await messagesOf(services, chat)).getLeafUnder("b1-1")],
    ["go to its first message", async () => (await messagesOf(services, chat)).getLeafUnder("t1")],
    ["search everywhere", () => search("harvest", null)],
    ["search in a chat", () => search("garden", chat)],
    ["search a rare word", () => search("uniquem7", null)],
    ["send", () => talk.say("One more question")],
    ["edit a question", () => talk.say("Another question", { parentId: "t2" })],
    ["edit an answer", () => editAnswerOf(services)],
    [
      "compare two branches",
      () => compareBranches(services, chat, { left: middle, right: "b1-2" }),
    ],
    [
      "compare the longest branches",
      () => compareBranches(services, chat, { left: `t${trunk}`, right: `b${branches - 1}-2` }),
    ],
    ["carry over a branch", () => noteSource(services, chat, { from: "b1-2", to: `t${trunk}` })],
    ["pin", async () => (await messagesOf(services, chat)).setPinned("t2", true)],
    ["rename", () => changeSession(services, chat, { title: "Renamed" })],
    ["switch", () => changeSession(services, chat, { activeLeafId: `b${branches - 1}-2` })],
    ["fork", () => forkSession(services, chat, forkOf("fork", middle))],
    ["fork with side branches", () => forkSession(services, chat, forkOf("whole", middle, true))],
    ["write in a fork", () => new Conversation(services, chatProcess(), model, "fork").say("On")],
    ["delete the forks", () => removeAll(services, ["fork", "whole"])],
    [`delete ${sideIds.length} messages`, () => deleteIds(services, sideIds, "ids")],
    ["restore them", () => restoreDeletion(services, "ids")],
    ["delete three fifths", () => deleteIds(services, [`t${Math.floor(trunk / 4)}`], "subtree")],
    ["list what was deleted", () => deletedPage(services, { keptMs: 1 })],
    ["restore it", () => restoreDeletion(services, "subtree")],
    ["delete it again", () => deleteIds(services, [`t${Math.floor(trunk / 4)}`], "again")],
    ["remove it for good", () => removeDeletion(services, "again")],
    ["delete a chat", () => deleteSession(services, chat, "chat")],
    ["restore the chat", () => restoreDeletion(services, "chat")],
    ["count everything", () => services.data.counts()],
  ];
}

const forkOf = (id: string, messageId: string, withSideBranches = false) => ({
  id,
  messageId,
  withSideBranches,
  title: id,
});

function editAnswerOf(services: OwnerServices): Promise<unknown> {
  const place = { sessionId: chat, messageId: "t2" };
  return editAnswer(services, place, { id: "edited", texts: ["Another answer"] });
}

function deleteIds(services: OwnerServices, ids: string[], deletionId: string): Promise<unknown> {
  return deleteMessages(services, chat, { ids, deletionId, subtree: deletionId !== "ids" });
}

async function removeAll(services: OwnerServices, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await deleteSession(services, id, `deletion of ${id}`);
    await removeDeletion(services, `deletion of ${id}`);
  }
}

interface Measured {
  readonly slowdown: Slowdown | null;
  readonly broken: string[];
  readonly figures: Record<string, number>;
}

async function exportAll(
  services: OwnerServices,
  count: number,
  { slowdown, broken, figures }: Measured,
): Promise<void> {
  const startedAt = performance.now();
  let chats = 0;
  for await (const line of await exportEverything(services))
    if (line.startsWith('{"type":"session-end"')) chats++;
  const perSecond = chats / ((performance.now() - startedAt) / 1_000);
  figures["chats exported a second"] = Math.round(perSecond);
  if (chats !== count + 1) broken.push(`${chats} of ${count + 1} chats were exported.`);
  if (slowdown && perSecond < exportedPerSecond / slowdown.now)
    broken.push(`${Math.round(perSecond)} chats were exported a second.`);
}

/** Somebody who watches sees fewer and fewer chats. */
async function deleteAll(services: OwnerServices, { broken, figures }: Measured): Promise<void> {
  const seen = new Set<number>();
  const startedAt = performance.now();
  const deleting = deleteEverything(services);
  let isOver = false;
  const over = deleting.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    seen.add((await services.data.counts()).sessions);
    await Promise.race([over, new Promise((next) => setImmediate(next))]);
  }
  await deleting;
  figures["delete everything (ms)"] = Math.round(performance.now() - startedAt);
  figures["counts seen meanwhile"] = seen.size;
  const { sessions, messages } = await services.data.counts();
  if (sessions + messages > 0) broken.push(`${sessions} chats and ${messages} messages are left.`);
}
