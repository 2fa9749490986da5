import type { SessionInfo } from "grove-session";
import { openingBlocks, searchableText, wordsAfterBlocks } from "grove-session/ports";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { titleFromQuestion } from "@/lib/llm";
import { beginChat, requireConversation } from "./conversation-chat";
import {
  assertNotWritten,
  conversationEnd,
  instructionsOn,
  repeatedBelow,
  repeatedChat,
} from "./conversation-path";
import { storeItemFiles } from "./item-files";
import {
  type CompactionItem,
  type ConversationMessage,
  type InputItem,
  instructionsIn,
  isCompaction,
  messagesFromItems,
  missingCalls,
  withCallsNamed,
} from "./items";
import { historyKeys } from "./message-items";
import { newProgramSession, type Program, withoutPrefix } from "./program";
import { programError } from "./program-error";
import { storedRequest } from "./response-object";
import type { CreateResponse } from "./response-request";
import { openCompaction } from "./sealed-compaction";
import { isSideRequest } from "./side-request";
import { beginThread, type threadFields, threadOf } from "./thread";

export interface Place {
  readonly owner: OwnerData;
  readonly info: SessionInfo;
  readonly parentId: string | null | undefined;
  readonly developer: readonly string[];
  readonly rest: readonly ConversationMessage[];
  readonly isRepeated: boolean;
}

export interface ResponseInput {
  readonly request: Pick<
    CreateResponse,
    | "previous_response_id"
    | "conversation"
    | "store"
    | "instructions"
    | "tools"
    | "max_output_tokens"
    | keyof typeof threadFields
  >;
  readonly items: readonly InputItem[];
  readonly runId: string;
  readonly model: string;
}

/** Lifetime of a session whose process died before deleting it. */
export const temporaryMs = 60 * 60 * 1_000;

export async function placeOf(program: Program, asked: ResponseInput): Promise<Place> {
  const { previous_response_id: previousId, store } = asked.request;
  const conversation = conversationIn(asked.request);
  if (previousId && conversation)
    throw refusedPlace("Send “previous_response_id” or “conversation”, not both.", "conversation");
  const { items } = asked;
  const isStored = store ?? true;
  const files = await storeItemFiles((isStored ? program.owner : program.temporary).files, items);
  const compaction = items.findLast(isCompaction);
  if (compaction) {
    if (!isStored) throw refusedPlace("A compaction of a stored chat needs “store”.", "store");
    if (previousId || conversation)
      throw refusedPlace("A compaction says where it continues, so send no other place.", "input");
    const after = items.slice(items.lastIndexOf(compaction) + 1);
    return atCompaction(program, compaction, messagesFromItems(after, { files }));
  }
  const messages = messagesFromItems(items, { files });
  if (previousId) return afterResponse(program, previousId, messages);
  if (conversation)
    return inProgramConversation(program, { conversation, messages, model: asked.model });
  if (isStored) {
    const repeated = await repeatedChat(program.owner, items.map(idOf), messages);
    if (repeated) {
      const { info, leafId: parentId, rest } = repeated;
      const developer = await instructionsOn(program.owner, info.id, parentId);
      return { owner: program.owner, info, parentId, developer, rest, isRepeated: true };
    }
    return isAside(asked, messages)
      ? inLog(program, asked, messages)
      : inThread(program, asked, messages);
  }
  return inTemporaryChat(program, asked, messages);
}

export function conversationIn({
  conversation,
}: Pick<CreateResponse, "conversation">): string | undefined {
  return typeof conversation === "string" ? conversation : conversation?.id;
}

function idOf(item: InputItem): string | null | undefined {
  return item.id;
}

function refusedPlace(message: string, param: string): Error {
  return programError("invalid", message, param);
}

/** An unstored response's chat is deleted at its end, so it is separate. */
export function assertNeedsNoStore(
  request: Partial<Pick<CreateResponse, "background" | "previous_response_id" | "conversation">>,
): void {
  const needing = (["background", "previous_response_id", "conversation"] as const).find(
    (param) => request[param],
  );
  if (!needing) return;
  throw programError(
    "invalid",
    `“${needing}” is for responses that are stored; leave out “store”.`,
    "store",
  );
}

export function noMessage(): Error {
  return programError("invalid", "“input” has no message.", "input");
}

async function afterResponse(
  program: Program,
  previousId: string,
  rest: readonly ConversationMessage[],
): Promise<Place> {
  const { owner } = program;
  const { sessionId, messageId, request } = await findPrevious(program, previousId);
  const info = await requireSession(owner, sessionId);
  const known = storedRequest.safeParse(request).data?.developer;
  const developer = known ?? (await instructionsOn(owner, sessionId, messageId));
  return { owner, info, parentId: messageId, developer, rest, isRepeated: false };
}

async function findPrevious(program: Program, id: string): Promise<RunRecord> {
  const { owner, runner } = program;
  const param = "previous_response_id";
  const run = id.startsWith("resp_") ? await runner.find(owner, withoutPrefix("resp", id)) : null;
  const isRunning = run?.kind === "answer" && run.status === "running";
  if (isRunning)
    throw programError("conflict", `The response ${id} is still being written.`, param);
  if (run?.kind === "answer") {
    if (await owner.store.messages(run.sessionId).getMessage(run.messageId)) return run;
  }
  throw programError("no-previous", `Previous response with id '${id}' not found.`, param);
}

async function inProgramConversation(
  program: Program,
  asked: { conversation: string; messages: readonly ConversationMessage[]; model: string },
): Promise<Place> {
  const { owner } = program;
  const { messages, model } = asked;
  const conversation = await requireConversation(program, asked.conversation);
  const { chat: info } = conversation;
  if (!info) {
    if (messages.length === 0) throw noMessage();
    const rest = withCallsNamed(messages, []);
    const begun = await beginChat(program, conversation, { title: titleOf(rest), model });
    return { owner, info: begun, parentId: null, developer: [], rest, isRepeated: false };
  }
  const end = await conversationEnd(program, info);
  assertNotWritten(end);
  const place = { owner, info, isRepeated: false };
  const developer = await instructionsOn(owner, info.id, end.leafId);
  if (end.leafId === undefined) {
    if (messages.length === 0) throw noMessage();
    return { ...place, parentId: undefined, developer, rest: messages };
  }
  // A repeated request finds the messages that the first one stored.
  const repeated = await repeatedBelow(owner, { sessionId: info.id, leafId: end.leafId }, messages);
  const last = repeated.found.at(-1);
  const parentId = last?.id ?? end.leafId;
  const stored = instructionsIn(repeated.found);
  return { ...place, parentId, developer: [...developer, ...stored], rest: repeated.rest };
}

async function inThread(
  program: Program,
  { request, model }: ResponseInput,
  messages: readonly ConversationMessage[],
): Promise<Place> {
  const { owner } = program;
  const instructions = [request.instructions ?? "", ...instructionsIn(messages)];
  const history = { messages, keysOf: historyKeys, instructions, fields: request };
  const thread = await threadOf(program, history);
  if (thread.info) {
    const { info, followed } = thread;
    const { found, rest } = followed;
    const repeated = messages.slice(0, messages.length - rest.length);
    const parentId = found.at(-1)?.id ?? null;
    return { owner, info, parentId, developer: instructionsIn(repeated), rest, isRepeated: true };
  }
  // A result needs its call, so a chat cannot begin with one.
  const rest = withCallsNamed(messages, []);
  const { metadata } = request;
  const info = await beginThread(program, thread, { title: titleOf(rest), model, metadata });
  return { owner, info, parentId: null, developer: [], rest, isRepeated: false };
}

function isAside(
  { request: { instructions, tools, max_output_tokens: maxTokens } }: ResponseInput,
  messages: readonly ConversationMessage[],
): boolean {
  const given = [instructions ?? "", ...instructionsIn(messages)];
  return isSideRequest({
    ...{ messages, instructions: given, hasTools: (tools ?? []).length > 0, maxTokens },
  });
}

async function inLog(
  program: Program,
  { request: { metadata }, runId: id, model }: ResponseInput,
  messages: readonly ConversationMessage[],
): Promise<Place> {
  const rest = withCallsNamed(messages, []);
  const chat = { id, title: titleOf(rest), model, metadata, isLog: true };
  const info = await newProgramSession(program, chat);
  return { owner: program.owner, info, parentId: null, developer: [], rest, isRepeated: false };
}

async function inTemporaryChat(
  { temporary: owner, key }: Program,
  { request: { metadata }, runId, model }: ResponseInput,
  messages: readonly ConversationMessage[],
): Promise<Place> {
  const rest = withCallsNamed(messages, []);
  const info = await newProgramSession(
    { owner, key },
    { id: runId, title: titleOf(rest), model, metadata, expiresAfterMs: temporaryMs },
  );
  return { owner, info, parentId: null, developer: [], rest, isRepeated: false };
}

export function titleOf(messages: readonly ConversationMessage[]): string {
  const texts = messages.filter(({ role }) => role === "user").map((each) => searchableText(each));
  const [first] = messages;
  const text = texts.find(hasWords) ?? texts[0] ?? (first && searchableText(first));
  return text === undefined ? "Program" : titleFromQuestion(wordsAfterBlocks(text));
}

function hasWords(text: string): boolean {
  return openingBlocks(text).rest.trim() !== "";
}

async function atCompaction(
  { owner }: Program,
  item: CompactionItem,
  rest: readonly ConversationMessage[],
): Promise<Place> {
  const compacted = openCompaction(item);
  const place = compacted && "leafId" in compacted ? compacted : null;
  const info = place && (await owner.store.sessions.get(place.sessionId));
  const leaf = info && (await owner.store.messages(info.id).getMessage(place.leafId));
  if (!info || !leaf)
    throw programError("invalid", "“encrypted_content” is of no compaction made here.", "input");
  const developer = await instructionsOn(owner, info.id, leaf.id);
  return { owner, info, parentId: leaf.id, developer, rest, isRepeated: false };
}

export interface StoredInput {
  readonly inputIds: readonly string[];
  readonly leafId: string;
}

export async function storeInput(
  { owner, info, parentId, rest }: Place,
  idPrefix: string,
  { activate }: { activate: true | "follow" },
): Promise<StoredInput> {
  const tree = owner.store.messages(info.id);
  const named = withCallsNamed(rest, await callsOf(owner, info.id, { parentId, rest }));
  const listed = named.map((message, index) => ({ ...message, id: `${idPrefix}-${index}` }));
  if (listed.length > 0) await tree.appendMessages(listed, parentId, { activate });
  const leafId = listed.at(-1)?.id ?? parentId ?? (await tree.getLatestLeaf())?.id;
  if (!leafId) throw noMessage();
  return { inputIds: listed.map(({ id }) => id), leafId };
}

async function callsOf(
  { store }: OwnerData,
  sessionId: string,
  { parentId, rest }: Pick<Place, "parentId" | "rest">,
): Promise<ConversationMessage[]> {
  const missing = new Set<unknown>(missingCalls(rest));
  const found: ConversationMessage[] = [];
  let beforePosition: number | undefined;
  while (missing.size > 0 && parentId !== null) {
    const { entries, hasMore } = await store.messages(sessionId).getWindow({
      leafId: parentId,
      beforePosition,
      limit: 50,
      overlays: false,
    });
    for (const { message } of entries.toReversed()) {
      const answered = message.parts.filter(({ toolCallId }) => missing.delete(toolCallId));
      if (answered.length > 0) found.push(message);
    }
    beforePosition = entries[0]?.position;
    if (!hasMore || beforePosition === undefined) break;
  }
  return found;
}
