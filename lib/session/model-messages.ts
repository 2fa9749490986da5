import { isCompactionMessage } from "./compaction-message";
import {
  isAnswered,
  isToolPart,
  type SessionMessage,
  type SessionMessagePart,
  toolNameOf,
} from "./message";
import type { LoadedSkill, MaybePromise } from "./session-provider";
import { skillEvents, skillOf } from "./skill-events";

interface SkillOptions {
  readonly loadedSkills: readonly LoadedSkill[];
  readonly loadSkill: (skill: LoadedSkill) => MaybePromise<string | null>;
}

const interrupted = "interrupted";

/**
 * Copies a history into a form every provider takes. Neighbouring assistant messages are joined, with results in their
 * calls. Unanswered calls become failed ones, except approvals in the last step. Instructions within the history are
 * said by the user. Unloaded documents become a short note; documents whose load was summarized or a person's are added
 * to the newest summary (else to the first question, else to the first message). Empty messages and unfinished
 * reasoning are dropped; ids, names and inputs of calls are adapted.
 */
export async function prepareForModel<Message extends SessionMessage>(
  history: readonly Message[],
  { loadedSkills, loadSkill }: SkillOptions,
): Promise<Message[]> {
  const hidden = loadedSkills.filter((skill) => !isShownIn(history, skill));
  const documents = await Promise.all(hidden.map((skill) => documentText(skill, loadSkill)));
  const useful = withResultsInCalls(history)
    .map((message) =>
      isPlain(message) ? message : { ...message, parts: usefulParts(message.parts) },
    )
    .filter(({ parts }) => parts.length > 0);
  const repaired = joinAssistantMessages(useful).map((message, index, { length }) => {
    if (isPlain(message)) return message;
    const lastStep = index === length - 1 ? startOfLastStep(message) : message.parts.length;
    const parts = message.parts.map((part, at) =>
      at >= lastStep && isApproval(part) ? part : repairPart(part, loadedSkills),
    );
    return { ...message, parts, role: message.role === "system" ? "user" : message.role };
  });
  return withDocuments(withAcceptedNames(repaired), documents.join(""));
}

function isPlain({ role, parts }: SessionMessage): boolean {
  return (
    role !== "system" &&
    parts.length > 0 &&
    parts.every(({ type, text }) => type === "text" && !isBlank(text))
  );
}

function repairPart(part: SessionMessagePart, loaded: readonly LoadedSkill[]): SessionMessagePart {
  if (!isToolPart(part)) return part;
  if (isRefusal(part)) return { ...withAcceptedInput(part), state: "output-denied" };
  if (!isAnswered(part)) return interruptedCall(part);
  const [event] = skillEvents({ parts: [part] });
  const isStale = event?.action === "load" && !loaded.some((skill) => isSame(skill, event));
  const call = withAcceptedInput(part);
  return isStale ? { ...call, output: unloadedNote(event) } : call;
}

function startOfLastStep({ parts }: SessionMessage): number {
  return parts.findLastIndex(({ type }) => type === "step-start") + 1;
}

function isApproval(part: SessionMessagePart): boolean {
  const { state } = part;
  return isToolPart(part) && (state === "approval-requested" || state === "approval-responded");
}

/** The conversation continued before the result recorded a person's refusal. */
function isRefusal({ state, approval }: SessionMessagePart): boolean {
  return (
    state === "approval-responded" &&
    typeof approval === "object" &&
    approval !== null &&
    "approved" in approval &&
    approval.approved === false
  );
}

function interruptedCall({
  output: _,
  approval: __,
  ...part
}: SessionMessagePart): SessionMessagePart {
  return {
    ...part,
    type: part.type,
    state: "output-error",
    input: acceptedInput(part.input),
    errorText: interrupted,
  };
}

/** Providers refuse an error without words. */
function withAcceptedInput({ rawInput, ...part }: SessionMessagePart): SessionMessagePart {
  const call = { ...part, type: part.type, input: acceptedInput(part.input ?? rawInput) };
  const isSilent = part.state === "output-error" && isBlank(part.errorText);
  return isSilent ? { ...call, errorText: interrupted } : call;
}

/** Providers take objects only; a model may have written anything. */
function acceptedInput(input: unknown): unknown {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  return input === undefined || input === null ? {} : { input };
}

function unloadedNote({ key, label }: LoadedSkill): string {
  return `(Skill "${key}" from ${label} was unloaded. Load it again to read it.)`;
}

/** Providers refuse blank texts, and messages without content. */
function usefulParts(parts: readonly SessionMessagePart[]): SessionMessagePart[] {
  const said = parts.filter((part) => !isBlankText(part));
  return said.some(isContent)
    ? said.filter((part, at) => !isUnfinishedThought(said, part, at))
    : [];
}

function isBlankText({ type, text, providerMetadata }: SessionMessagePart): boolean {
  if (type === "text") return isBlank(text);
  // A signature has to be sent back, also without text.
  return type === "reasoning" && isBlank(text) && providerMetadata === undefined;
}

function isContent(part: SessionMessagePart): boolean {
  return part.type === "text" || part.type === "file" || isToolPart(part);
}

/** Providers refuse reasoning with nothing after it in its step. */
function isUnfinishedThought(
  parts: readonly SessionMessagePart[],
  { type }: SessionMessagePart,
  at: number,
): boolean {
  if (type !== "reasoning") return false;
  const next = parts.slice(at + 1).find((part) => part.type === "step-start" || isContent(part));
  return next === undefined || next.type === "step-start";
}

function isBlank(text: unknown): boolean {
  return typeof text !== "string" || text.trim() === "";
}

function isShownIn(history: readonly SessionMessage[], skill: LoadedSkill): boolean {
  return history.some((message) => {
    return message.parts.some((part) => {
      const about = toolNameOf(part) === "load_context" ? skillOf(part) : null;
      return about !== null && isSame(about, skill) && skillEvents({ parts: [part] }).length > 0;
    });
  });
}

async function documentText(
  skill: LoadedSkill,
  loadSkill: SkillOptions["loadSkill"],
): Promise<string> {
  const content = await loadSkill(skill);
  return content === null ? "" : `\n\n[Loaded "${skill.key}" from ${skill.label}]\n${content}`;
}

function withDocuments<Message extends SessionMessage>(
  messages: readonly Message[],
  documents: string,
): Message[] {
  if (documents === "") return [...messages];
  const newestSummary = messages.findLastIndex(isCompactionMessage);
  const firstQuestion = messages.findIndex(({ role }) => role === "user");
  const carrier = newestSummary === -1 ? Math.max(0, firstQuestion) : newestSummary;
  const text = { type: "text", text: documents.trim() };
  return messages.map((message, index) => {
    if (index !== carrier) return message;
    const isAnswer = message.role === "assistant";
    return { ...message, parts: isAnswer ? [text, ...message.parts] : [...message.parts, text] };
  });
}

function isSame(first: LoadedSkill, second: LoadedSkill): boolean {
  return first.label === second.label && first.key === second.key;
}

/** Some models number the calls of each turn from 0, so another call with the same id gets its own. */
function withResultsInCalls<Message extends SessionMessage>(
  history: readonly Message[],
): Message[] {
  const usedIds = callIdsIn(history);
  const calls = new Map<string, { readonly parts: SessionMessagePart[]; readonly index: number }>();
  return history.map((message) => {
    if (isPlain(message)) return message;
    const parts: SessionMessagePart[] = [];
    for (const part of message.parts) {
      const id = callIdOf(part);
      const call = calls.get(id ?? "");
      const known = call?.parts[call.index];
      const relation = known ? relationOf(known, part) : "new";
      if (call && known && relation === "continued") {
        call.parts[call.index] = continued(known, part);
      } else if (relation !== "repeated") {
        if (id !== null) calls.set(id, { parts, index: parts.length });
        const isTaken = id !== null && known !== undefined;
        parts.push(isTaken ? { ...part, toolCallId: freeId(id, usedIds) } : part);
      }
    }
    return { ...message, parts };
  });
}

/** Ids and names of other providers' or imported calls may be refused. */
function withAcceptedNames<Message extends SessionMessage>(
  messages: readonly Message[],
): Message[] {
  const usedIds = callIdsIn(messages);
  return messages.map((message) => {
    if (isPlain(message)) return message;
    const parts = message.parts.map((part) => {
      const id = callIdOf(part);
      if (id === null) return part;
      const named = withAcceptedName(part);
      if (acceptedId.test(id)) return named;
      return { ...named, toolCallId: freeId(plain(id, idLength), usedIds) };
    });
    return { ...message, parts };
  });
}

function callIdsIn(messages: readonly SessionMessage[]): Set<string | null> {
  const others = messages.filter((message) => !isPlain(message));
  return new Set(others.flatMap(({ parts }) => parts.map(callIdOf)));
}

const acceptedId = /^[\w-]{1,40}$/;
const acceptedName = /^[A-Za-z_][\w-]{0,63}$/;
const idLength = 32;
const nameLength = 60;

function withAcceptedName(part: SessionMessagePart): SessionMessagePart {
  const name = toolNameOf(part) ?? "";
  if (acceptedName.test(name)) return part;
  const accepted = plain(/^[A-Za-z_]/.test(name) ? name : `_${name}`, nameLength);
  return part.type === "dynamic-tool"
    ? { ...part, toolName: accepted }
    : { ...part, type: `tool-${accepted}` };
}

function plain(text: string, length: number): string {
  return text.replace(/[^\w-]/g, "_").slice(0, length);
}

function joinAssistantMessages<Message extends SessionMessage>(
  messages: readonly Message[],
): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === "assistant" && message.role === "assistant") {
      joined[joined.length - 1] = { ...last, parts: joinedParts(last.parts, message.parts) };
    } else joined.push(message);
  }
  return joined;
}

/** Text after a tool's result starts the next step; in one step it would come first. */
function joinedParts(
  first: readonly SessionMessagePart[],
  second: readonly SessionMessagePart[],
): SessionMessagePart[] {
  const needsStep = first.some(isToolPart) && second[0]?.type !== "step-start";
  return [...first, ...(needsStep ? [{ type: "step-start" }] : []), ...second];
}

function callIdOf(part: SessionMessagePart): string | null {
  return isToolPart(part) && typeof part.toolCallId === "string" ? part.toolCallId : null;
}

function relationOf(
  known: SessionMessagePart,
  part: SessionMessagePart,
): "continued" | "repeated" | "another" {
  if (toolNameOf(known) !== toolNameOf(part)) return "another";
  const isBareResult = part.input === undefined;
  const isPartial = known.state === "input-streaming";
  if (!isBareResult && !isPartial && !hasSameJson(known.input, part.input)) return "another";
  if (!isAnswered(known) || known.preliminary === true) return "continued";
  if (!isAnswered(part)) return "repeated";
  if (hasSameJson(resultOf(known), resultOf(part))) return "repeated";
  return isBareResult ? "continued" : "another";
}

function continued(
  { preliminary: _, ...known }: SessionMessagePart,
  part: SessionMessagePart,
): SessionMessagePart {
  const { toolCallId } = known;
  return { ...known, ...part, toolCallId, input: part.input ?? known.input };
}

function resultOf({ state, output, errorText }: SessionMessagePart): unknown {
  return { state, output, errorText };
}

function hasSameJson(first: unknown, second: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}

function freeId(id: string, used: Set<string | null>): string {
  let number = 2;
  while (used.has(`${id}-${number}`)) number++;
  const free = `${id}-${number}`;
  used.add(free);
  return free;
}
