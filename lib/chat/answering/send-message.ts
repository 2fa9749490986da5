import {
  InvalidArgumentError,
  MessageConflictError,
  MessageNotFoundError,
  type SessionInfo,
  type SessionMessage,
  type SessionMessagePart,
  SessionNotFoundError,
} from "grove-session";
import { assertStorable } from "grove-session/ports";
import type { z } from "zod";
import { replaceAsked } from "@/lib/chat/branches/keep-answer";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText } from "@/lib/chat/core/clean-text";
import { fileNotFound } from "@/lib/chat/core/file-store";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { parametersIn } from "@/lib/chat/core/settings-store";
import { sentInFullIn } from "@/lib/chat/sessions/model-input";
import { createSession } from "@/lib/chat/sessions/open-session";
import { entryOf, memoryModeOf, requireSession, runWire } from "@/lib/chat/sessions/transcript";
import {
  type AttachedFile,
  attachedFile,
  filePart,
  maxAltText,
  maxFileName,
} from "@/lib/chat/wire/files";
import type {
  GroveMetadata,
  SendResponse,
  sendRequest,
  startRunRequest,
} from "@/lib/chat/wire/messages";
import type { ResolvedModel } from "@/lib/llm";
import { keptAnswer } from "./kept-answer";
import { firstLeg, type Leg, memoryModeFor, newOrder, type Order } from "./order";
import type { Runner } from "./runner";

export type ChooseModel = (ref: string | null) => Promise<ResolvedModel>;

export interface Answering {
  readonly owner: OwnerData;
  readonly runner: Runner;
  readonly chooseModel: ChooseModel;
}

const maxTextLength = 200_000;

/**
 * Idempotent, since the client chose the ids; a message whose sender had not seen the newest one becomes a sibling. A
 * refused message stores nothing, not even its new session.
 *
 * @throws {ChatError} `bad-parts`, `too-many-runs`.
 * @throws {MessageConflictError} when the id exists with another text, parent or answer.
 */
export async function sendMessage(
  answering: Answering,
  sessionId: string,
  request: z.output<typeof sendRequest>,
): Promise<SendResponse> {
  const { owner, runner } = answering;
  const parts = await sendableParts(owner, request.parts);
  const { model, newSession } = request;
  const asked = request.generate ? request.together : undefined;
  const message = {
    id: request.id,
    role: "user" as const,
    parts,
    ...(asked && { metadata: { together: asked } satisfies GroveMetadata }),
  };
  assertStorable(message);
  const parentId = request.parentId === undefined ? request.expectedLeaf : request.parentId;
  const { known, isStored, answer, pausedRunId } = await readyToSend(answering, sessionId, {
    ...request,
    parentId,
  });
  const created = newSession && (await createSession(owner, { ...newSession, id: sessionId }));
  const info = created ?? known;
  if (!info) throw new SessionNotFoundError(sessionId);
  const leafStored = (async () => {
    await owner.store.messages(sessionId).appendMessage(message, parentId);
    if (pausedRunId !== null) await runner.withdraw(owner, pausedRunId);
  })();
  const place = { parentId: request.id, isNew: !isStored, leafStored };
  const [run, others, entry] = await Promise.all([
    answer && startAnswer({ owner, runner }, info, { ...answer, ...place, isTogether: !!asked }),
    startOthers({ owner, runner }, info, { others: answer?.others ?? [], ...place }),
    leafStored.then(() => entryOf(owner, sessionId, request.id)),
    leafStored.then(async () => {
      if (model && !asked && model !== info.model)
        await owner.store.sessions.update(sessionId, { model });
    }),
  ]);
  return { entry, run: run && runWire(run), ...(asked && { others: others.map(runWire) }) };
}

/** Answers that cannot start are named in the question, so that the person can ask again. */
async function startOthers(
  answering: Pick<Answering, "owner" | "runner">,
  info: SessionInfo,
  {
    others,
    ...place
  }: Pick<AnswerStart, "parentId" | "isNew" | "leafStored"> & { others: readonly OtherAnswer[] },
): Promise<RunRecord[]> {
  const starting = others.map((other, index) =>
    startAnswer(answering, info, { ...other, ...place, isTogether: true, offset: index + 1 }),
  );
  const started = await Promise.allSettled(starting);
  return started.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

type OtherAnswer = Pick<AnswerStart, "answerId" | "resolved" | "isTaken">;

type Asked = Pick<
  z.output<typeof sendRequest>,
  "id" | "model" | "generate" | "newSession" | "together"
> & {
  readonly answerId?: string | undefined;
  readonly parentId: string | null | undefined;
};

interface Ready {
  readonly known: SessionInfo | null;
  readonly isStored: boolean;
  readonly pausedRunId: string | null;
  readonly answer:
    | (Pick<AnswerStart, "answerId" | "resolved" | "isTaken" | "blocks"> & {
        readonly others: readonly OtherAnswer[];
      })
    | null;
}

/** Checks all at once, since the first word waits for it, and before anything is stored. */
async function readyToSend(
  { owner, runner, chooseModel }: Answering,
  sessionId: string,
  asked: Asked,
): Promise<Ready> {
  const messages = owner.store.messages(sessionId);
  const { parentId, generate, together = [] } = asked;
  const [first, ...others] = together;
  const givenId = first?.answerId ?? asked.answerId;
  const mayAnswer = async (answerId: string) => {
    assertStorable({ id: answerId, role: "assistant", parts: [] });
    const [taken] = await Promise.all([
      messages.getMessage(answerId),
      runner.assertMayStart(owner, answerId, others.length),
    ]);
    return taken !== null;
  };
  const [known, stored, parent, isGivenTaken, blocks] = await Promise.all([
    owner.store.sessions.get(sessionId),
    messages.getMessage(asked.id),
    typeof parentId === "string" ? messages.getMessage(parentId) : null,
    generate && givenId !== undefined ? mayAnswer(givenId) : null,
    generate ? owner.blocks.list(sessionId) : [],
  ]);
  if (!known && !asked.newSession) throw new SessionNotFoundError(sessionId);
  if (typeof parentId === "string" && !parent && !stored) throw new MessageNotFoundError(parentId);
  if (stored && (parent || parentId === null)) {
    const entry = await entryOf(owner, sessionId, asked.id);
    if (entry.parentId !== parentId) throw new MessageConflictError(asked.id);
  }
  const pausedRunId = pausedRunOf(parent);
  const isStored = stored !== null;
  if (!generate) return { known, isStored, pausedRunId, answer: null };
  const answers = stored ? await answersTo(owner, sessionId, asked.id) : [];
  const answerId = givenId ?? answers[0] ?? crypto.randomUUID();
  if (answers.length > 0 && !answers.includes(answerId)) throw new MessageConflictError(asked.id);
  const resolved = await chooseModel(first?.model ?? asked.model ?? known?.model ?? null);
  const isTaken = isGivenTaken ?? (await mayAnswer(answerId));
  if (isTaken) await runOf(owner, { sessionId, answerId });
  const ready = others.map(async (other): Promise<OtherAnswer> => {
    const taken = await messages.getMessage(other.answerId);
    if (taken) await runOf(owner, { sessionId, answerId: other.answerId });
    const { answerId } = other;
    return { answerId, resolved: await chooseModel(other.model), isTaken: taken !== null };
  });
  const answer = { answerId, resolved, isTaken, blocks, others: await Promise.all(ready) };
  return { known, isStored, pausedRunId, answer };
}

function pausedRunOf(message: SessionMessage | null): string | null {
  const { status, runId } = (message?.metadata ?? {}) as GroveMetadata;
  return status === "paused" ? (runId ?? null) : null;
}

async function answersTo(
  owner: OwnerData,
  sessionId: string,
  messageId: string,
): Promise<string[]> {
  const [children, running] = await Promise.all([
    owner.store.messages(sessionId).getBranches(messageId),
    owner.runs.running(sessionId),
  ]);
  const written = running.filter(({ parentId }) => parentId === messageId);
  return [...children.filter(({ role }) => role === "assistant"), ...written].map(({ id }) => id);
}

/** @throws {MessageNotFoundError} @throws {InvalidArgumentError} when it is not a question. */
export async function answerMessage(
  { owner, runner, chooseModel }: Answering,
  sessionId: string,
  request: z.output<typeof startRunRequest>,
): Promise<RunRecord> {
  const [info] = await Promise.all([
    requireSession(owner, sessionId),
    runner.assertMayStart(owner, request.answerId),
  ]);
  const { message } = await entryOf(owner, sessionId, request.parentId);
  if (message.role === "assistant" && message.metadata?.status === "complete") {
    throw new InvalidArgumentError("This message is an answer. Regenerate it from its question.");
  }
  const pausedRunId = pausedRunOf(message as unknown as SessionMessage);
  if (pausedRunId !== null) await runner.withdraw(owner, pausedRunId);
  const { answerId, parentId, replaces, continues } = request;
  const taken = await owner.store.messages(sessionId).getMessage(answerId);
  const cut =
    continues === undefined || taken
      ? null
      : await keptAnswer(owner, { sessionId, messageId: continues, parentId });
  const resolved = await chooseModel(request.model ?? cut?.model ?? info.model);
  if (replaces !== undefined) {
    const by = { answerId, model: resolved.info.ref };
    await replaceAsked(owner, { sessionId, messageId: parentId, replaces, by });
  }
  // Takes the sibling's place only while its question is the active leaf.
  if (!taken) await owner.store.messages(sessionId).setActiveLeaf(parentId);
  return startAnswer({ owner, runner }, info, {
    ...request,
    resolved,
    ...(cut && { kept: cut.kept, keptParts: cut.parts }),
    isTaken: taken !== null,
    isNew: false,
  });
}

interface AnswerStart
  extends Pick<Leg, "resolved" | "leafStored" | "blocks">,
    Partial<Pick<Order, "kept" | "isTogether">> {
  readonly answerId: string;
  readonly parentId: string;
  readonly isTaken: boolean;
  readonly isNew: boolean;
  readonly keptParts?: readonly SessionMessagePart[];
  readonly offset?: number;
}

async function startAnswer(
  { owner, runner }: Pick<Answering, "owner" | "runner">,
  info: SessionInfo,
  { answerId, parentId, isTaken, isNew, ...start }: AnswerStart,
): Promise<RunRecord> {
  const sessionId = info.id;
  const { resolved, blocks, leafStored, kept = null, keptParts } = start;
  if (isTaken || !isNew) await leafStored;
  if (isTaken) return runOf(owner, { sessionId, answerId });
  // The answer is stored at its end, so an invalid id must be refused before.
  assertStorable({ id: answerId, role: "assistant", parts: [] });
  const siblings = isNew ? [] : await owner.store.messages(sessionId).getBranches(parentId);
  const answers = siblings.filter(({ role }) => role === "assistant").length;
  const { choice, info: model } = resolved;
  const order = newOrder({
    ...{ sessionId, messageId: answerId, parentId, model: model.ref, kept },
    ...(choice && { choice }),
    isTogether: start.isTogether ?? false,
    variation: (start.offset ?? 0) + answers,
  });
  const leg = {
    ...{ begun: firstLeg, resolved, blocks, leafStored, kept: keptParts },
    ...settingsOf(info, order),
  };
  return runner.start({ owner, order, leg });
}

export function settingsOf(
  info: SessionInfo,
  order: Order,
): Pick<Leg, "memoryMode" | "parameters" | "sentInFull"> {
  return {
    memoryMode: memoryModeFor(order, memoryModeOf(info)),
    parameters: parametersIn(info.metadata),
    sentInFull: sentInFullIn(info),
  };
}

async function runOf(
  owner: OwnerData,
  { sessionId, answerId }: { sessionId: string; answerId: string },
): Promise<RunRecord> {
  const run = await owner.runs.get(answerId);
  if (run?.sessionId !== sessionId) throw new MessageConflictError(answerId);
  return run;
}

/** @throws {ChatError} `bad-parts`, `file-not-found`, `file-unread`. */
async function sendableParts(
  { files }: Pick<OwnerData, "files">,
  parts: readonly SessionMessagePart[],
): Promise<SessionMessagePart[]> {
  const named = parts.map((part) => attachedFile(part));
  const hashes = named.flatMap((file) => file?.sha256 ?? []);
  const stored = new Map(
    hashes.length === 0 ? [] : (await files.whenRead(hashes)).map((file) => [file.sha256, file]),
  );
  const sendable = parts.map((part, index): SessionMessagePart => {
    const file = named[index];
    if (!file) return sendableText(part, index);
    const facts = stored.get(file.sha256);
    if (!facts) throw fileNotFound();
    assertFileTexts(file, index);
    const { name, alt } = cleanText({ name: file.name, alt: file.alt ?? "" });
    return filePart({ ...facts, name, ...(alt.trim() !== "" && { alt }) });
  });
  if (hashes.length === 0 && sendable.every((part) => String(part.text).trim() === ""))
    throw new ChatError("bad-parts", "The message is empty.", { field: "parts" });
  return sendable;
}

function sendableText(part: SessionMessagePart, index: number): SessionMessagePart {
  if (part.type !== "text" || typeof part.text !== "string") {
    const message = "A message consists of text and stored files.";
    throw new ChatError("bad-parts", message, { field: `parts.${index}` });
  }
  if (part.text.length > maxTextLength) {
    const limit = maxTextLength.toLocaleString("en");
    throw new ChatError(
      "bad-parts",
      `A message has at most ${limit} characters; this one has ${part.text.length.toLocaleString("en")}.`,
      { field: `parts.${index}.text` },
    );
  }
  return cleanText({ type: "text", text: part.text });
}

function assertFileTexts({ name, alt = "" }: AttachedFile, index: number): void {
  const longest = Math.max(name.length - maxFileName, alt.length - maxAltText);
  if (longest <= 0) return;
  const message = `A file's name has at most ${maxFileName} characters, its description ${maxAltText}.`;
  throw new ChatError("bad-parts", message, { field: `parts.${index}` });
}
