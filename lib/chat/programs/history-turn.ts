import type { SessionInfo, SessionMessagePart } from "grove-session";
import { isAnswered, isToolPart, toolNameOf } from "grove-session";
import { attachedFile } from "@/lib/chat/wire/files";
import type { ModelInfo, ModelParameters } from "@/lib/llm";
import { canonicalJson } from "@/lib/text/canonical-json";
import { storeItemFiles } from "./item-files";
import {
  type ConversationMessage,
  filesOfResult,
  type InputItem,
  type ItemContent,
  type ItemFiles,
  partsFrom,
  plainText,
  resultText,
} from "./items";
import { assertMay, isKeptBy, scopesOf } from "./keys";
import { modelForAnswer } from "./models";
import { temporaryMs, titleOf } from "./place";
import { newProgramSession, type Program } from "./program";
import { programError } from "./program-error";
import type { FoundResponse } from "./response-object";
import type { ResponseCall } from "./response-request";
import { startAnswer, startedOnce } from "./responses";
import { isSideRequest } from "./side-request";
import { beginThread, type History, threadOf } from "./thread";

/** `param` is the place in the request, for errors. */
export type TurnMessage =
  | { readonly role: "user"; readonly content: ItemContent; readonly param: string }
  | {
      readonly role: "assistant";
      readonly parts: readonly SessionMessagePart[];
      readonly param: string;
    }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly content: ItemContent;
      readonly isError?: boolean;
      readonly param: string;
    };

export interface HistoryTurn {
  readonly model: string | null | undefined;
  readonly settings: ResponseCall;
  /** The model gets as much of these as it takes. */
  readonly atMost?: Pick<ModelParameters, "maxOutputTokens" | "reasoning">;
  readonly instructions: readonly string[];
  readonly messages: readonly TurnMessage[];
  readonly store: boolean | null | undefined;
  readonly fields: History["fields"];
  readonly metadata: Readonly<Record<string, string>>;
}

export function answerTurn(program: Program, read: () => HistoryTurn): Promise<FoundResponse> {
  return startedOnce(program, async () => {
    assertMay(program.key, { writes: true });
    return newAnswer(program, read());
  });
}

async function newAnswer(program: Program, turn: HistoryTurn): Promise<FoundResponse> {
  const { key } = program;
  const { settings, instructions } = turn;
  if (turn.messages.length === 0) throw noQuestion();
  const isKept = isKeptBy(key, turn.store);
  const runId = program.making.id;
  const owner = isKept ? program.owner : program.temporary;
  const resolved = await modelForAnswer(program, { name: turn.model, owner, settings });
  const model = resolved.info.ref;
  const messages = await listedMessages(turn.messages, owner.files);
  const { metadata } = turn;
  const info = isKept
    ? await threadInfo(program, { turn, messages, model })
    : await newProgramSession(
        { owner, key },
        { id: runId, title: titleOf(messages), model, metadata, expiresAfterMs: temporaryMs },
      );
  const followed = await owner.store.messages(info.id).follow(messages, { keyOf: turnKey });
  const parentId = followed.leafId;
  if (parentId === null) throw noQuestion();
  const { usesMemory, blocks } = scopesOf(key);
  const asked = { ...settings, ...within(turn.atMost, resolved.info) };
  const stored = {
    call: { ...asked, instructions: instructions.join("\n\n"), usesMemory, blocks },
    developer: [...instructions],
    inputIds: [],
    isRepeated: true,
    instructions: null,
    previousId: null,
    conversation: false,
    background: false,
    store: isKept,
    metadata: { ...metadata },
  };
  return startAnswer(program, { place: { owner, info }, runId, parentId, stored, resolved });
}

function noQuestion(): Error {
  return programError("invalid", "“messages” has no question.", "messages");
}

function within(
  { maxOutputTokens, reasoning }: NonNullable<HistoryTurn["atMost"]> = {},
  { maxOutput, parameters }: ModelInfo,
): NonNullable<HistoryTurn["atMost"]> {
  const efforts = parameters?.reasoning ?? [];
  const effort = [reasoning, "high" as const].find((each) => each && efforts.includes(each));
  return {
    ...(maxOutputTokens !== undefined && {
      maxOutputTokens: Math.min(maxOutputTokens, maxOutput ?? maxOutputTokens),
    }),
    ...(reasoning && effort && { reasoning: effort }),
  };
}

async function threadInfo(
  program: Program,
  { turn, messages, model }: Threaded,
): Promise<SessionInfo> {
  const { instructions, fields, metadata, settings, atMost } = turn;
  const form = {
    ...{ messages, instructions, hasTools: settings.tools.length > 0 },
    maxTokens: settings.maxOutputTokens ?? atMost?.maxOutputTokens,
  };
  if (isSideRequest(form)) {
    const { id } = program.making;
    const title = titleOf(messages);
    return newProgramSession(program, { id, title, model, metadata, isLog: true });
  }
  const keysOf = (message: ConversationMessage) => [turnKey(message)];
  const thread = await threadOf(program, { messages, keysOf, instructions, fields });
  return thread.info ?? beginThread(program, thread, { title: titleOf(messages), model, metadata });
}

interface Threaded {
  readonly turn: HistoryTurn;
  readonly messages: readonly ConversationMessage[];
  readonly model: string;
}

interface ListedTurn {
  readonly from: TurnMessage["role"];
  readonly role: "user" | "assistant";
  readonly parts: SessionMessagePart[];
}

async function listedMessages(
  given: readonly TurnMessage[],
  store: Parameters<typeof storeItemFiles>[0],
): Promise<ConversationMessage[]> {
  const files = await storeItemFiles(
    store,
    given.map(itemOf),
    given.map(({ param }) => param),
  );
  const calls = new Map<unknown, SessionMessagePart>();
  const listed: ListedTurn[] = [];
  for (const message of given) {
    const role = message.role === "user" ? "user" : "assistant";
    const parts = partsOf(message, { files, calls });
    if (message.role === "assistant")
      for (const part of parts) if (isToolPart(part)) calls.set(part.toolCallId, part);
    const last = listed.at(-1);
    if (message.role === "tool" && last?.from === "tool") last.parts.push(...parts);
    else listed.push({ from: message.role, role, parts });
  }
  return listed.map(({ role, parts }) => ({ role, parts }));
}

function partsOf(
  message: TurnMessage,
  {
    files,
    calls,
  }: { readonly files: ItemFiles; readonly calls: ReadonlyMap<unknown, SessionMessagePart> },
): SessionMessagePart[] {
  if (message.role === "assistant") return [...message.parts];
  const { content } = message;
  const param = `${message.param}.content`;
  if (message.role === "user") {
    const hasFile = typeof content !== "string" && content.some((entry) => files.has(entry));
    return hasFile
      ? partsFrom(content, { files, param })
      : [{ type: "text", text: plainText(content, param) }];
  }
  const call = calls.get(message.callId);
  if (!call)
    throw programError("invalid", `No tool call has the id ${message.callId}.`, "messages");
  const output = resultText(content, files, param);
  const result = message.isError
    ? { state: "output-error", errorText: output }
    : { state: "output-available", output };
  return [{ ...call, ...result }, ...filesOfResult(content, files)];
}

function itemOf(message: TurnMessage): InputItem {
  if (message.role === "assistant") return { role: "assistant", content: "" };
  const { content } = message;
  if (message.role === "user") return { role: "user", content };
  return { type: "function_call_output", call_id: message.callId, output: content };
}

/** Many programs drop the white space around answers. */
function turnKey({ role, parts }: ConversationMessage): string {
  const texts = parts.filter(({ type }) => type === "text").map(({ text }) => String(text ?? ""));
  const text = texts.join("");
  const calls = parts.filter((part) => isToolPart(part) && !isAnswered(part));
  const results = parts.filter((part) => part.type === "dynamic-tool" && isAnswered(part));
  const files = role === "user" ? parts.flatMap((part) => attachedFile(part)?.sha256 ?? []) : [];
  return canonicalJson([
    role,
    role === "assistant" ? text.trim() : text,
    calls.map((part) => [part.toolCallId, toolNameOf(part), part.input ?? {}]),
    results.map((part) => [part.toolCallId, part.output ?? part.errorText ?? null]),
    ...(files.length > 0 ? [files] : []),
  ]);
}
