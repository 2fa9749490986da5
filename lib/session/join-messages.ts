import type { SessionMessage, SessionMessagePart } from "./message";
import { isAnswered, isToolPart, toolNameOf } from "./message-parts";

/**
 * Puts each tool result into its call, also from a later message, so that no call id appears twice. Repetitions of a
 * call are dropped. Another call with the same id, as from models that number the calls of each turn from 0, gets an
 * id of its own.
 */
export function withResultsInCalls<Message extends SessionMessage>(
  history: readonly Message[],
): Message[] {
  const usedIds = new Set(history.flatMap(({ parts }) => parts.map(callIdOf)));
  /** By the id they were stored with. */
  const calls = new Map<string, { readonly parts: SessionMessagePart[]; readonly index: number }>();
  return history.map((message) => {
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

/** Joins neighbouring assistant messages under the id of the first. */
export function joinAssistantMessages<Message extends SessionMessage>(
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

/** Text after a tool's result belongs to the next step: in the same one it would come before the result. */
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
  if (!isBareResult && !isPartial && !isSame(known.input, part.input)) return "another";
  if (!isAnswered(known) || known.preliminary === true) return "continued";
  if (!isAnswered(part)) return "repeated";
  if (isSame(resultOf(known), resultOf(part))) return "repeated";
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

function isSame(first: unknown, second: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}

function freeId(id: string, used: Set<string | null>): string {
  let number = 2;
  while (used.has(`${id}-${number}`)) number++;
  const free = `${id}-${number}`;
  used.add(free);
  return free;
}
