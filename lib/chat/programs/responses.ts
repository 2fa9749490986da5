import { createHash } from "node:crypto";
import type { UIMessageChunk } from "ai";
import { z } from "zod";
import { firstLeg, newOrder } from "@/lib/chat/answering/order";
import type { ProgramCall } from "@/lib/chat/answering/program-call";
import type { Runner } from "@/lib/chat/answering/runner";
import type { ChooseModel } from "@/lib/chat/answering/send-message";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { sentInFullIn } from "@/lib/chat/sessions/model-input";
import { isPromptCold, memoryModeOf } from "@/lib/chat/sessions/transcript";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { canonicalJson } from "@/lib/text/canonical-json";
import { endConversationAt, turnOf } from "./conversation-path";
import { pageOf, pathPage } from "./item-page";
import { instructionsIn } from "./items";
import { assertMay, isKeptBy, scopesOf } from "./keys";
import { itemsOf } from "./message-items";
import { modelForAnswer } from "./models";
import {
  assertNeedsNoStore,
  conversationIn,
  noMessage,
  type Place,
  placeOf,
  storeInput,
} from "./place";
import { assertAwaited, inPlaceForPrograms, startInRoom, stopWithCaller } from "./place-for-answer";
import { type Program, withoutPrefix } from "./program";
import { failedAnswer, lastingRefusal, programError } from "./program-error";
import { readInput } from "./read-input";
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

export function createResponse(program: Program, asked: CreateResponse): Promise<FoundResponse> {
  assertMay(program.key, { writes: true });
  const request = { ...asked, store: isKeptBy(program.key, asked.store) };
  const conversationId = conversationIn(request);
  return startedOnce(program, () => {
    const answer = () => {
      if (!request.background) assertAwaited(program);
      return newResponse(program, request);
    };
    return conversationId === undefined
      ? answer()
      : program.owner.turns.take(turnOf(conversationId), answer);
  });
}

export async function startedOnce(
  program: Program,
  start: () => Promise<FoundResponse>,
): Promise<FoundResponse> {
  const { owner, temporary, runner, making } = program;
  const known =
    making.name !== null &&
    ((await findRun({ owner, runner }, making.id)) ??
      (await findRun({ owner: temporary, runner }, making.id)) ??
      (await startedByEarlierVersion(program, making.name)));
  if (!known && making.hasBegun)
    throw programError("conflict", "The response to this Idempotency-Key was deleted.");
  const found = known || (await inPlaceForPrograms(program, start));
  stopWithCaller(program, found);
  await making.begun();
  return found;
}

const namesKeptMs = 24 * 60 * 60 * 1_000;

/** Versions before 0.3 made the id of a response from the name of its request. */
async function startedByEarlierVersion(
  { key, owner, runner }: Program,
  name: string,
): Promise<FoundResponse | null> {
  const found = await findRun({ owner, runner }, digestOf([key.id, name]).slice(0, 32));
  return found && Date.now() - found.run.startedAt.getTime() < namesKeptMs ? found : null;
}

async function newResponse(
  program: Program,
  request: CreateResponse & { readonly store: boolean },
): Promise<FoundResponse> {
  const { key, owner, temporary } = program;
  const runId = program.making.id;
  const { store: isKept } = request;
  if (!isKept) assertNeedsNoStore(request);
  const settings = callSettingsOf(request);
  const items = await readInput(owner, request.input ?? []);
  if (items.length === 0 && !request.conversation) throw noMessage();
  const answering = isKept ? owner : temporary;
  const asked = { name: request.model, owner: answering, settings };
  const resolved = await modelForAnswer(program, asked);
  const conversation = conversationIn(request);
  const place = await placeOf(program, { request, items, runId, model: resolved.info.ref });
  const activate = conversation ? "follow" : true;
  const { inputIds, leafId } = await storeInput(place, runId, { activate });
  const developer = [...place.developer, ...instructionsIn(place.rest)];
  const scopes = scopesOf(key);
  const call: ProgramCall = {
    ...settings,
    instructions: [request.instructions ?? "", ...developer]
      .filter((text) => text !== "")
      .join("\n\n"),
    usesMemory: scopes.usesMemory,
    blocks: scopes.blocks,
  };
  const stored: StoredRequest = {
    call,
    developer,
    inputIds: [...inputIds],
    isRepeated: place.isRepeated,
    instructions: request.instructions ?? null,
    previousId: request.previous_response_id ?? null,
    conversation: conversation ?? false,
    background: request.background ?? false,
    store: isKept,
    metadata: request.metadata ?? {},
  };
  const found = await startAnswer(program, { place, runId, parentId: leafId, stored, resolved });
  if (conversation) await endConversationAt(owner, place.info.id, runId);
  return found;
}

interface ResponseStart {
  readonly place: Pick<Place, "owner" | "info">;
  readonly runId: string;
  readonly parentId: string;
  readonly stored: StoredRequest;
  readonly resolved: Awaited<ReturnType<ChooseModel>>;
}

export async function startAnswer(
  program: Program,
  { place: { owner, info }, runId, parentId, stored, resolved }: ResponseStart,
): Promise<FoundResponse> {
  const { key, runner, temporary, inBackground } = program;
  const order = newOrder({
    ...{ sessionId: info.id, messageId: runId, parentId, model: resolved.info.ref },
    ...(resolved.choice && { choice: resolved.choice }),
    request: stored,
    keyId: key.id,
  });
  const leg = {
    ...{ begun: firstLeg, resolved, program: stored.call },
    memoryMode: stored.call.usesMemory ? memoryModeOf(info) : ("off" as const),
    sentInFull: sentInFullIn(info),
    renewsPrompt: isPromptCold(info),
  };
  const keyDollars = scopesOf(key).monthlyLimit;
  const starting = startInRoom(program, () => runner.start({ owner, order, leg, keyDollars }));
  const { run } = await starting.catch((error: unknown) => {
    const isKey = error instanceof ChatError && error.code === "over-key-limit";
    throw isKey ? programError("over-limit", error.message) : error;
  });
  if (!stored.store) inBackground(() => deleteAtEnd(runner, temporary, run));
  return foundOf(owner, run);
}

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

interface EventsOptions {
  readonly signal: AbortSignal;
  readonly onEnd?: (end: GroveMetadata) => void;
}

/** Events from number `after` on; those that arrive together come together. */
export async function* responseEvents(
  { runner }: Pick<Program, "runner">,
  found: FoundResponse,
  { after = -1, signal, onEnd }: EventsOptions & { readonly after?: number },
): AsyncGenerator<ResponseEvent[]> {
  const { owner, run } = found;
  const writer = writerOf(found);
  const wanted = (events: ResponseEvent[]) =>
    after < 0 ? events : events.filter(({ sequence_number: number }) => number > after);
  yield wanted(writer.begin(responseObject(found, { status: "in_progress", output: [] })));
  let end: GroveMetadata | undefined;
  let isLogged = false;
  const take = (chunk: UIMessageChunk): ResponseEvent[] => {
    isLogged = true;
    if (chunk.type === "finish") end = chunk.messageMetadata as GroveMetadata;
    return writer.take(chunk);
  };
  for await (const chunks of runner.followBatches(owner, { runId: run.id, after: 0, signal }))
    yield wanted(chunks.flatMap(take));
  if (signal.aborted) return;
  if (!isLogged || !end) {
    const message = await owner.store.messages(run.sessionId).getMessage(run.messageId);
    end ??= (message?.metadata as GroveMetadata | undefined) ?? { status: "interrupted" };
    if (!isLogged) {
      yield wanted(chunksOf(message?.parts ?? []).flatMap((chunk) => writer.take(chunk)));
      writer.continueAfter(after);
    }
  }
  onEnd?.(end);
  const state = stateOf(end);
  // Every reader reports the same end time.
  const ended = run.finishedAt ? run : ((await runner.find(owner, run.id)) ?? run);
  const finish = () =>
    responseObject({ ...found, run: ended }, { ...state, output: writer.output, end });
  yield wanted(writer.end(eventTypes[state.status], finish));
}

export async function responseOf(
  { runner }: Pick<Program, "runner">,
  found: FoundResponse,
  { waits, ...options }: EventsOptions & { readonly waits: boolean },
): Promise<JsonRecord> {
  const { owner, run } = found;
  const current = waits ? run : ((await runner.find(owner, run.id)) ?? run);
  if (!waits && current.status === "running") {
    return responseObject(found, { status: "in_progress", output: [] });
  }
  let last: ResponseEvent | undefined;
  for await (const events of responseEvents({ runner }, found, options))
    last = events.at(-1) ?? last;
  return (last?.response ?? {}) as JsonRecord;
}

/** @throws {ProgramError} 400 where the provider refuses the request itself, 502 where it refuses Grove's own key. */
export async function responseToCaller(
  program: Program,
  found: FoundResponse,
): Promise<JsonRecord> {
  const waits = !found.request?.background;
  let error: GroveMetadata["error"];
  // The message of an answer that is not kept may be gone already.
  const onEnd = (end: GroveMetadata) => {
    error = end.error;
  };
  const response = await responseOf(program, found, { waits, signal: program.signal, onEnd });
  const ofKey = error?.code === "bad-key" ? failedAnswer(error) : null;
  const refusal = lastingRefusal(error) ?? ofKey;
  if (waits && response.status === "failed" && refusal) throw refusal;
  return response;
}

export async function cancelResponse(program: Program, responseId: string, signal: AbortSignal) {
  assertMay(program.key, { writes: true });
  const found = await findResponse(program, responseId);
  if (found.run.status === "running") await program.runner.stop(found.owner, found.run.id);
  return responseOf(program, found, { waits: true, signal });
}

export async function deleteResponse(program: Program, responseId: string): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  const { owner, run } = await findResponse(program, responseId);
  if (run.status === "running")
    throw programError("conflict", "The response is still being written. Cancel it first.");
  await owner.store.messages(run.sessionId).deleteMessages([run.messageId]);
  return { id: responseId, object: "response", deleted: true };
}

export async function inputItems(
  program: Program,
  responseId: string,
  query: URLSearchParams,
): Promise<JsonRecord> {
  const { owner, run, request } = await findResponse(program, responseId);
  const leafId = run.status === "running" ? run.parentId : run.messageId;
  const path = { tree: owner.store.messages(run.sessionId), leafId };
  if (request?.isRepeated) return pathPage(path, query, ({ id }) => id !== run.messageId);
  const ids = new Set(request?.inputIds ?? [run.parentId]);
  const { entries } = await path.tree.getWindow({ leafId, limit: ids.size + 1, overlays: false });
  const stored = entries.filter(({ message }) => ids.has(message.id));
  return pageOf(
    stored.flatMap(({ message }) => itemsOf(message)),
    query,
  );
}

/** If the process dies first, the session expires, and is removed later. */
async function deleteAtEnd(runner: Runner, temporary: OwnerData, run: RunRecord): Promise<void> {
  const never = new AbortController().signal;
  for await (const chunk of runner.follow(temporary, { runId: run.id, after: 0, signal: never }))
    void chunk;
  await temporary.store.sessions.delete(run.sessionId, { permanently: true });
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
