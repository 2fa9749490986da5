import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { titleFromQuestion } from "@/lib/llm";
import type { SessionInfo } from "@/lib/session";
import { searchableText } from "@/lib/session/internal";
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
  type InputItem,
  instructionsIn,
  isCompaction,
  type ListedMessage,
  messagesFromItems,
  missingCalls,
  withCallsNamed,
} from "./items";
import { newProgramSession, type Program, withoutPrefix } from "./program";
import { programError } from "./program-error";
import { storedRequest } from "./response-object";
import type { CreateResponse } from "./response-request";
import { openCompaction } from "./sealed-compaction";

/** A place in the tree at which a program's messages continue. */
export interface Place {
  readonly owner: OwnerData;
  readonly info: SessionInfo;
  /** `null` before the first message; `undefined` for the active leaf. */
  readonly parentId: string | null | undefined;
  /** Instructions of the path up to it. */
  readonly developer: readonly string[];
  /** The request's messages that are not stored yet. */
  readonly rest: readonly ListedMessage[];
  /** The request's items are the whole path, as far as they were stored before. */
  readonly isRepeated: boolean;
}

export interface Asked {
  readonly request: Pick<
    CreateResponse,
    "previous_response_id" | "conversation" | "store" | "metadata"
  >;
  readonly items: readonly InputItem[];
  readonly runId: string;
  readonly model: string;
}

/** Should its process die, which would delete it at its end. */
const temporaryMs = 60 * 60 * 1_000;

/** @throws {ProgramError} */
export async function placeOf(program: Program, asked: Asked): Promise<Place> {
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
  }
  return inNewChat(program, asked, messages);
}

/** The id of the conversation that a request names. */
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

/** Its chat is deleted at its end, so it has one of its own, and nobody can ask for it later. */
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
  rest: readonly ListedMessage[],
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
  asked: { conversation: string; messages: readonly ListedMessage[]; model: string },
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
  // A repeated request finds what the first one stored.
  const repeated = await repeatedBelow(owner, { sessionId: info.id, leafId: end.leafId }, messages);
  const last = repeated.found.at(-1);
  const parentId = last?.id ?? end.leafId;
  const stored = instructionsIn(repeated.found);
  return { ...place, parentId, developer: [...developer, ...stored], rest: repeated.rest };
}

async function inNewChat(
  program: Program,
  { request: { store, metadata }, runId, model }: Asked,
  messages: readonly ListedMessage[],
): Promise<Place> {
  const owner = (store ?? true) ? program.owner : program.temporary;
  // A result needs its call, so a chat cannot begin with one.
  const rest = withCallsNamed(messages, []);
  const expiresAfterMs = owner === program.temporary ? temporaryMs : undefined;
  const info = await newProgramSession(
    { owner, key: program.key },
    { id: runId, title: titleOf(rest), model, metadata, expiresAfterMs },
  );
  return { owner, info, parentId: null, developer: [], rest, isRepeated: false };
}

/** Of the first question, else of the first message. */
export function titleOf(messages: readonly ListedMessage[]): string {
  const first = messages.find(({ role }) => role === "user") ?? messages[0];
  return first ? titleFromQuestion(searchableText(first)) : "Program";
}

async function atCompaction(
  { owner }: Program,
  item: CompactionItem,
  rest: readonly ListedMessage[],
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
  /** The last message. */
  readonly leafId: string;
}

/** @throws {ProgramError} for a result of an unknown call. */
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

/** The earlier messages with the calls that `rest` answers, also those that a summary covers. */
async function callsOf(
  { store }: OwnerData,
  sessionId: string,
  { parentId, rest }: Pick<Place, "parentId" | "rest">,
): Promise<ListedMessage[]> {
  const missing = new Set<unknown>(missingCalls(rest));
  const found: ListedMessage[] = [];
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
