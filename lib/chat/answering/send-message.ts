import type { z } from "zod";
import { ChatError } from "@/lib/chat/chat-error";
import { cleanText } from "@/lib/chat/clean-text";
import type { OwnerData } from "@/lib/chat/owner-data";
import { createSession } from "@/lib/chat/sessions/open-session";
import { entryOf, memoryModeOf, requireSession, runWire } from "@/lib/chat/sessions/transcript";
import type { SendResponse, sendRequest, startRunRequest } from "@/lib/chat/wire/messages";
import type { ResolvedModel } from "@/lib/llm";
import {
  InvalidArgumentError,
  MessageConflictError,
  type SessionInfo,
  type SessionMessagePart,
} from "@/lib/session";
import { assertStorable, fromClient } from "@/lib/session/internal";
import { sentInFullIn } from "./model-input";
import type { RunRecord } from "./run-store";
import type { Runner } from "./runner";

/** The requested model, the session's, or the default. */
export type ChooseModel = (ref: string | null) => Promise<ResolvedModel>;

export interface Answering {
  readonly owner: OwnerData;
  readonly runner: Runner;
  readonly chooseModel: ChooseModel;
}

const maxTextLength = 200_000;

/**
 * Every step is idempotent, since the client chose the ids; a message whose sender had not seen the newest one becomes
 * a sibling.
 *
 * @throws {ChatError} `bad-parts` for parts a person cannot send.
 */
export async function sendMessage(
  { owner, runner, chooseModel }: Answering,
  sessionId: string,
  request: z.output<typeof sendRequest>,
): Promise<SendResponse> {
  const parts = sendableParts(request.parts);
  if (request.newSession) await createSession(owner, { ...request.newSession, id: sessionId });
  const messages = owner.store.messages(sessionId);
  const { model, generate, answerId = crypto.randomUUID() } = request;
  const message = fromClient({ id: request.id, role: "user", parts }, {});
  const parentId = request.parentId === undefined ? request.expectedLeaf : request.parentId;
  // Only a message without a model waits for its session's.
  const resolved = generate
    ? await chooseModel(model ?? (await requireSession(owner, sessionId)).model)
    : null;
  const [{ inserted }, info, taken] = await Promise.all([
    messages.appendMessage(message, parentId),
    requireSession(owner, sessionId),
    generate ? messages.getMessage(answerId) : null,
  ]);
  const [entry, run] = await Promise.all([
    entryOf(owner, sessionId, request.id),
    resolved &&
      startAnswer({ owner, runner }, info, {
        answerId,
        parentId: request.id,
        resolved,
        isTaken: taken !== null,
        isNew: inserted,
      }),
    model && model !== info.model && owner.store.sessions.update(sessionId, { model }),
  ]);
  return { entry, run: run && runWire(run) };
}

/** @throws {MessageNotFoundError} @throws {InvalidArgumentError} when it is not a question. */
export async function answerMessage(
  { owner, runner, chooseModel }: Answering,
  sessionId: string,
  request: z.output<typeof startRunRequest>,
): Promise<RunRecord> {
  const info = await requireSession(owner, sessionId);
  const { message } = await entryOf(owner, sessionId, request.parentId);
  if (message.role === "assistant" && message.metadata?.status === "complete") {
    throw new InvalidArgumentError("This message is an answer. Regenerate it from its question.");
  }
  const resolved = await chooseModel(request.model ?? info.model);
  const taken = await owner.store.messages(sessionId).getMessage(request.answerId);
  return startAnswer({ owner, runner }, info, {
    ...request,
    resolved,
    isTaken: taken !== null,
    isNew: false,
  });
}

interface AnswerStart {
  readonly answerId: string;
  readonly parentId: string;
  readonly resolved: ResolvedModel;
  readonly isTaken: boolean;
  readonly isNew: boolean;
}

async function startAnswer(
  { owner, runner }: Pick<Answering, "owner" | "runner">,
  info: SessionInfo,
  { answerId, parentId, resolved, isTaken, isNew }: AnswerStart,
): Promise<RunRecord> {
  const sessionId = info.id;
  if (isTaken) {
    const earlier = await owner.runs.get(answerId);
    if (earlier?.sessionId === sessionId) return earlier;
    throw new MessageConflictError(answerId);
  }
  // The answer is stored at its end, so an invalid id must be refused before.
  assertStorable({ id: answerId, role: "assistant", parts: [] });
  const siblings = isNew ? [] : await owner.store.messages(sessionId).getBranches(parentId);
  return runner.start({
    owner,
    run: { id: answerId, sessionId, messageId: answerId, parentId, model: resolved.info.ref },
    resolved,
    memoryMode: memoryModeOf(info),
    sentInFull: sentInFullIn(info),
    variation: siblings.filter((sibling) => sibling.role === "assistant").length,
  });
}

function sendableParts(parts: readonly SessionMessagePart[]): SessionMessagePart[] {
  for (const [index, part] of parts.entries()) {
    if (part.type !== "text" || typeof part.text !== "string") {
      throw new ChatError("bad-parts", "A message consists of text.", { field: `parts.${index}` });
    }
    if (part.text.length > maxTextLength) {
      const limit = maxTextLength.toLocaleString("en");
      throw new ChatError(
        "bad-parts",
        `A message has at most ${limit} characters; this one has ${part.text.length.toLocaleString("en")}.`,
        { field: `parts.${index}.text` },
      );
    }
  }
  if (parts.every((part) => String(part.text).trim() === "")) {
    throw new ChatError("bad-parts", "The message is empty.", { field: "parts" });
  }
  return parts.map(({ type, text }) => cleanText({ type, text }));
}
