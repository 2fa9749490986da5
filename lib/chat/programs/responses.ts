import { createHash } from "node:crypto";
import type { UIMessageChunk } from "ai";
import { z } from "zod";
import { sentInFullIn } from "@/lib/chat/answering/model-input";
import type { ProgramCall } from "@/lib/chat/answering/program-call";
import type { RunRecord } from "@/lib/chat/answering/run-store";
import type { Runner } from "@/lib/chat/answering/runner";
import type { ChooseModel } from "@/lib/chat/answering/send-message";
import type { OwnerData } from "@/lib/chat/owner-data";
import { memoryModeOf, requireSession } from "@/lib/chat/sessions/transcript";
import type { SettingsOwner } from "@/lib/chat/settings/settings-store";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { titleFromQuestion } from "@/lib/llm";
import type { SessionInfo } from "@/lib/session";
import { canonicalJson, KeyedMutex, searchableText } from "@/lib/session/internal";
import {
  inputItemsOf,
  instructionsIn,
  type ListedMessage,
  messagesFromItems,
  readItems,
  withCallsNamed,
} from "./items";
import { assertMay, type StoredKey, scopesOf } from "./keys";
import { programError } from "./program-error";
import {
  eventTypes,
  type FoundResponse,
  responseObject,
  type StoredRequest,
  stateOf,
  storedRequest,
  writerOf,
} from "./response-object";
import { type CreateResponse, callSettingsOf } from "./response-request";
import { chunksOf, type JsonRecord, type ResponseEvent } from "./response-writer";

/** A program that sends a request: its key, and the data of the key's owner. */
export interface Program {
  readonly key: StoredKey;
  readonly owner: OwnerData & SettingsOwner;
  /** Holds the answers that are not to be stored, and is emptied when they end. */
  readonly temporary: OwnerData;
  readonly runner: Runner;
  readonly chooseModel: ChooseModel;
  /** Logs the failure of work that outlives the request. */
  readonly inBackground: (work: () => Promise<void>) => void;
}

/** A place in the tree at which a program's messages continue. */
interface Place {
  readonly owner: OwnerData;
  readonly info: SessionInfo;
  /** `null` before the first message; `undefined` for the active leaf. */
  readonly parentId: string | null | undefined;
  readonly previous: RunRecord | null;
}

/** Should its process die, which would delete it at its end. */
const temporaryMs = 60 * 60 * 1_000;

/** The part after the prefix. @throws {ProgramError} 404. */
export function withoutPrefix(prefix: "resp" | "conv", id: string): string {
  if (id.startsWith(`${prefix}_`)) return id.slice(prefix.length + 1);
  throw programError(
    "not-found",
    `No ${prefix === "resp" ? "response" : "conversation"} has the id “${id}”.`,
  );
}

/**
 * Stores the input and starts an answer to it.
 *
 * @param repeatable the request's idempotency key: the same request finds the same response.
 * @throws {ProgramError} 409 when it was another request's.
 */
export async function createResponse(
  program: Program,
  request: CreateResponse,
  repeatable: string | null,
): Promise<FoundResponse> {
  assertMay(program.key, { writes: true });
  if (repeatable === null) return newResponse(program, request, { runId: crypto.randomUUID() });
  // People and programs never share an id: a digest is no UUID.
  const runId = digestOf([program.key.id, repeatable]).slice(0, 32);
  const digest = digestOf(request);
  return repeating.run(runId, async () => {
    const known = await repeatedRun(program, runId);
    const found = known ?? (await newResponse(program, request, { runId, digest }));
    if (found.request?.digest === digest) return found;
    throw programError("conflict", "This Idempotency-Key was used for another request.");
  });
}

const repeating = new KeyedMutex();

async function repeatedRun(program: Program, runId: string): Promise<FoundResponse | null> {
  const { owner, temporary, runner } = program;
  const found =
    (await findRun({ owner, runner }, runId)) ??
    (await findRun({ owner: temporary, runner }, runId));
  if (found || !(await owner.runs.get(runId))) return found;
  throw programError("conflict", "The response to this Idempotency-Key was deleted.");
}

async function newResponse(
  program: Program,
  request: CreateResponse,
  { runId, digest = null }: { runId: string; digest?: string | null },
): Promise<FoundResponse> {
  const { key, owner, temporary } = program;
  const isKept = request.store ?? true;
  if (!isKept) assertNeedsNoStore(request);
  const settings = callSettingsOf(request);
  const items = readItems(request.input);
  const messages = messagesFromItems(items);
  if (messages.length === 0) throw programError("invalid", "“input” has no message.", "input");
  const [resolved] = await Promise.all([
    program.chooseModel(request.model ?? null),
    program.runner.assertMayStart(isKept ? owner : temporary, runId),
  ]);
  assertMay(key, { writes: true, model: resolved.info.ref });
  const model = resolved.info.ref;
  const place = await placeOf(program, request, { messages, runId, model });
  const developer = [...(developerOf(place.previous) ?? []), ...instructionsIn(items)];
  const call: ProgramCall = {
    ...settings,
    instructions: [request.instructions ?? "", ...developer]
      .filter((text) => text !== "")
      .join("\n\n"),
    usesMemory: scopesOf(key).usesMemory,
  };
  const { inputIds, parentId } = await storeInput(place, messages, runId);
  const stored: StoredRequest = {
    call,
    developer,
    inputIds,
    digest,
    instructions: request.instructions ?? null,
    previousId: request.previous_response_id ?? null,
    conversation: Boolean(request.conversation),
    background: request.background ?? false,
    store: isKept,
    metadata: request.metadata ?? {},
  };
  return startAnswer(program, { place, runId, parentId, stored, resolved });
}

/** Its chat is deleted at its end, so it has one of its own, and nobody can ask for it later. */
function assertNeedsNoStore(request: CreateResponse): void {
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

interface AnswerStart {
  readonly place: Pick<Place, "owner" | "info">;
  readonly runId: string;
  readonly parentId: string;
  readonly stored: StoredRequest;
  readonly resolved: Awaited<ReturnType<ChooseModel>>;
}

export async function startAnswer(
  { key, runner, temporary, inBackground }: Program,
  { place: { owner, info }, runId, parentId, stored, resolved }: AnswerStart,
): Promise<FoundResponse> {
  const run = await runner.start({
    owner,
    run: {
      id: runId,
      sessionId: info.id,
      messageId: runId,
      parentId,
      model: resolved.info.ref,
      request: stored,
      keyId: key.id,
    },
    resolved,
    memoryMode: stored.call.usesMemory ? memoryModeOf(info) : "off",
    sentInFull: sentInFullIn(info),
    variation: 0,
    program: stored.call,
  });
  if (!stored.store) inBackground(() => deleteAtEnd(runner, temporary, run));
  return foundOf(owner, run);
}

async function placeOf(
  program: Program,
  { previous_response_id: previousId, conversation, store, metadata }: CreateResponse,
  { messages, runId, model }: { messages: readonly ListedMessage[]; runId: string; model: string },
): Promise<Place> {
  if (previousId && conversation) {
    throw programError(
      "invalid",
      "Send “previous_response_id” or “conversation”, not both.",
      "conversation",
    );
  }
  if (previousId) {
    const previous = await findPrevious(program, previousId);
    const info = await requireSession(program.owner, previous.sessionId);
    return { owner: program.owner, info, parentId: previous.messageId, previous };
  }
  if (conversation) {
    const id = typeof conversation === "string" ? conversation : conversation.id;
    const info = await requireConversation(program, id);
    if ((await program.owner.runs.running(info.id)).length > 0)
      throw programError("conflict", `The conversation ${id} is being answered.`, "conversation");
    const leaf = await program.owner.store.messages(info.id).getLatestLeaf();
    const previous = leaf ? await program.owner.runs.get(leaf.id) : null;
    return { owner: program.owner, info, parentId: undefined, previous };
  }
  const owner = (store ?? true) ? program.owner : program.temporary;
  // A result needs its call, so a chat cannot begin with one.
  const [first] = withCallsNamed(messages, []);
  const title = first ? titleFromQuestion(searchableText(first)) : "Program";
  const expiresAfterMs = owner === program.temporary ? temporaryMs : undefined;
  const info = await newProgramSession(
    { owner, key: program.key },
    { id: runId, title, model, metadata, expiresAfterMs },
  );
  return { owner, info, parentId: null, previous: null };
}

/** A chat whose source is a program's key. */
export async function newProgramSession(
  { owner, key }: { owner: OwnerData; key: Pick<StoredKey, "id" | "name"> },
  {
    id,
    title,
    model,
    metadata,
    expiresAfterMs,
  }: {
    id: string;
    title: string;
    model?: string | undefined;
    metadata?: Readonly<Record<string, string>> | null | undefined;
    expiresAfterMs?: number | undefined;
  },
): Promise<SessionInfo> {
  const memoryMode = await owner.defaultMemoryMode();
  const program = { keyId: key.id, name: key.name, metadata: metadata ?? {} };
  return owner.store.sessions.create(title, {
    id,
    model,
    source: "program",
    ...(expiresAfterMs !== undefined && { expiresAfterMs }),
    metadata: { memoryMode, program },
  });
}

async function findPrevious(program: Program, id: string): Promise<RunRecord> {
  const found = id.startsWith("resp_") ? await findRun(program, id.slice(5)) : null;
  if (!found)
    throw programError(
      "no-previous",
      `Previous response with id '${id}' not found.`,
      "previous_response_id",
    );
  if (found.run.status === "running") {
    throw programError(
      "conflict",
      `The response ${id} is still being written.`,
      "previous_response_id",
    );
  }
  return found.run;
}

/** @throws {ProgramError} 404. */
export async function requireConversation(
  { owner }: Pick<Program, "owner">,
  conversationId: string,
): Promise<SessionInfo> {
  const info = await owner.store.sessions.get(withoutPrefix("conv", conversationId));
  if (!info) throw programError("not-found", `Conversation with id '${conversationId}' not found.`);
  return info;
}

async function storeInput(
  { owner, info, parentId }: Place,
  read: readonly ListedMessage[],
  runId: string,
): Promise<{ inputIds: string[]; parentId: string }> {
  const messages = owner.store.messages(info.id);
  const added = hasBareResults(read)
    ? withCallsNamed(read, await messages.getHistory(parentId ?? undefined))
    : read;
  const listed = added.map((message, index) => ({ ...message, id: `${runId}-${index}` }));
  await messages.appendMessages(listed, parentId);
  return { inputIds: listed.map(({ id }) => id), parentId: `${runId}-${listed.length - 1}` };
}

function hasBareResults(messages: readonly ListedMessage[]): boolean {
  return messages.some(({ parts }) => parts.some(({ toolName }) => toolName === ""));
}

function developerOf(previous: RunRecord | null): string[] | undefined {
  return storedRequest.safeParse(previous?.request).data?.developer;
}

/** @throws {ProgramError} 404. */
export async function findResponse(program: Program, responseId: string): Promise<FoundResponse> {
  const found = await findRun(program, withoutPrefix("resp", responseId));
  if (found) return found;
  throw programError("not-found", `Response with id '${responseId}' not found.`);
}

async function findRun(
  { owner, runner }: { owner: OwnerData; runner: Runner },
  runId: string,
): Promise<FoundResponse | null> {
  const run = await runner.find(owner, runId);
  if (run?.kind !== "answer") return null;
  const isThere =
    run.status === "running" ||
    (await owner.store.messages(run.sessionId).getMessage(run.messageId));
  return isThere ? foundOf(owner, run) : null;
}

function foundOf(owner: OwnerData, run: RunRecord): FoundResponse {
  return { owner, run, request: storedRequest.safeParse(run.request).data ?? null };
}

export const streamQuery = z.object({
  stream: z.enum(["true", "false"]).optional(),
  starting_after: z.coerce.number().int().min(-1).default(-1),
});

/** Events from number `after` on, until the answer has ended or the reader has gone. */
export async function* responseEvents(
  { runner }: Pick<Program, "runner">,
  found: FoundResponse,
  { after = -1, signal }: { after?: number; signal: AbortSignal },
): AsyncGenerator<ResponseEvent> {
  for await (const event of allEvents(runner, found, { after, signal })) {
    if (event.sequence_number > after) yield event;
  }
}

async function* allEvents(
  runner: Runner,
  found: FoundResponse,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<ResponseEvent> {
  const { owner, run, request } = found;
  const writer = writerOf(found);
  yield* writer.begin(responseObject(found, { status: "in_progress", output: [] }));
  let end: GroveMetadata | undefined;
  let isLogged = false;
  const take = (chunk: UIMessageChunk): ResponseEvent[] => {
    isLogged = true;
    if (chunk.type === "finish") end = chunk.messageMetadata as GroveMetadata;
    return writer.take(chunk);
  };
  for await (const chunk of runner.follow(owner, { runId: run.id, after: 0, signal }))
    yield* take(chunk);
  if (signal.aborted) return;
  if (!isLogged || !end) {
    const message = await owner.store.messages(run.sessionId).getMessage(run.messageId);
    end ??= (message?.metadata as GroveMetadata | undefined) ?? { status: "interrupted" };
    if (!isLogged) {
      for (const chunk of chunksOf(message?.parts ?? [])) yield* writer.take(chunk);
      // There were more events as long as the log had them.
      writer.continueAfter(after);
    }
  }
  const state = stateOf(end, request?.background ?? false);
  yield* writer.end(eventTypes[state.status], () =>
    responseObject(found, { ...state, output: writer.output, end }),
  );
}

/** The response at its end, or as it is now. */
export async function responseOf(
  { runner }: Pick<Program, "runner">,
  found: FoundResponse,
  { waits, signal }: { waits: boolean; signal: AbortSignal },
): Promise<JsonRecord> {
  const { owner, run } = found;
  const current = waits ? run : ((await runner.find(owner, run.id)) ?? run);
  if (!waits && current.status === "running") {
    return responseObject(found, { status: "in_progress", output: [] });
  }
  let last: ResponseEvent | undefined;
  for await (const event of allEvents(runner, found, { after: -1, signal })) last = event;
  return (last?.response ?? {}) as JsonRecord;
}

/** @throws {ProgramError} 404. */
export async function cancelResponse(program: Program, responseId: string, signal: AbortSignal) {
  assertMay(program.key, { writes: true });
  const found = await findResponse(program, responseId);
  if (found.run.status === "running") await program.runner.stop(found.owner, found.run.id);
  return responseOf(program, found, { waits: true, signal });
}

/** Takes the answer out of the tree; a person can restore it. */
export async function deleteResponse(program: Program, responseId: string): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  const { owner, run } = await findResponse(program, responseId);
  if (run.status === "running")
    throw programError("conflict", "The response is still being written. Cancel it first.");
  await owner.store.messages(run.sessionId).deleteMessages([run.messageId]);
  return { id: responseId, object: "response", deleted: true };
}

/** The items of the request that made a response, oldest first. */
export async function inputItems(program: Program, responseId: string): Promise<JsonRecord[]> {
  const { owner, run, request } = await findResponse(program, responseId);
  const ids = new Set(request?.inputIds ?? [run.parentId]);
  const { entries } = await owner.store.messages(run.sessionId).getWindow({
    leafId: run.status === "running" ? run.parentId : run.messageId,
    limit: ids.size + 1,
    overlays: false,
  });
  return entries
    .filter(({ message }) => ids.has(message.id))
    .flatMap(({ message }) => inputItemsOf(message));
}

/** A session left by a process that died expires, and is removed later. */
async function deleteAtEnd(runner: Runner, temporary: OwnerData, run: RunRecord): Promise<void> {
  const never = new AbortController().signal;
  for await (const chunk of runner.follow(temporary, { runId: run.id, after: 0, signal: never }))
    void chunk;
  await temporary.store.sessions.delete(run.sessionId, { permanently: true });
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
