import { isCompactionMessage } from "./compaction/compaction-message";
import { joinAssistantMessages, withResultsInCalls } from "./join-messages";
import type { SessionMessage, SessionMessagePart } from "./message";
import { isAnswered, isToolPart, toolNameOf } from "./message-parts";
import type { LoadedSkill, MaybePromise } from "./session-provider";
import { skillEvents, skillOf } from "./skill-events";

export interface PrepareOptions {
  /** Skills loaded on the path, from `getLoadedSkills`. */
  readonly loadedSkills: readonly LoadedSkill[];
  /** The text of a loaded skill that is not in the history; `null` when it is gone. */
  readonly loadSkill: (skill: LoadedSkill) => MaybePromise<string | null>;
}

const interrupted = "interrupted";

/**
 * Copies a history into a form a model accepts, in order. Neighbouring assistant messages are joined, each tool result
 * in its call. Unanswered tool calls become failed ones, since providers refuse a call without a result; approvals in
 * the last step stay, so that an approved tool runs. Instructions within it are said by the user, since providers refuse
 * system messages there. Unloaded documents become a short note. Documents that are loaded but summarized, or were
 * loaded by a person, are added to the newest summary (else to the first question, else to the first message). Empty
 * messages are dropped.
 */
export async function prepareForModel<Message extends SessionMessage>(
  history: readonly Message[],
  { loadedSkills, loadSkill }: PrepareOptions,
): Promise<Message[]> {
  const hidden = loadedSkills.filter((skill) => !isShownIn(history, skill));
  const documents = await Promise.all(hidden.map((skill) => documentText(skill, loadSkill)));
  const useful = withResultsInCalls(history)
    .map((message) => ({ ...message, parts: usefulParts(message.parts) }))
    .filter(({ parts }) => parts.length > 0);
  const repaired = joinAssistantMessages(useful).map((message, index, { length }) => {
    const lastStep = index === length - 1 ? startOfLastStep(message) : message.parts.length;
    const parts = message.parts.map((part, at) =>
      at >= lastStep && isApproval(part) ? part : repairPart(part, loadedSkills),
    );
    return { ...message, parts, role: message.role === "system" ? "user" : message.role };
  });
  return withDocuments(repaired, documents.join(""));
}

function repairPart(part: SessionMessagePart, loaded: readonly LoadedSkill[]): SessionMessagePart {
  if (!isToolPart(part)) return part;
  if (isRefusal(part)) return { ...part, state: "output-denied" };
  if (!isAnswered(part)) return interruptedCall(part);
  const [event] = skillEvents({ parts: [part] });
  const isStale = event?.action === "load" && !loaded.some((skill) => isSame(skill, event));
  const call = part.input === undefined ? { ...part, input: {} } : part;
  return isStale ? { ...call, output: unloadedNote(event) } : call;
}

function startOfLastStep({ parts }: SessionMessage): number {
  return parts.findLastIndex(({ type }) => type === "step-start") + 1;
}

function isApproval(part: SessionMessagePart): boolean {
  const { state } = part;
  return isToolPart(part) && (state === "approval-requested" || state === "approval-responded");
}

/** A person refused the call, and the conversation continued before that was recorded as its result. */
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
    input: part.input ?? {},
    errorText: interrupted,
  };
}

function unloadedNote({ key, label }: LoadedSkill): string {
  return `(Skill "${key}" from ${label} was unloaded. Load it again to read it.)`;
}

/** Providers refuse blank texts, and messages without content, as of an answer interrupted while reasoning. */
function usefulParts(parts: readonly SessionMessagePart[]): SessionMessagePart[] {
  const said = parts.filter((part) => !(part.type === "text" && isBlank(part.text)));
  const hasContent = said.some(
    (part) => part.type === "text" || part.type === "file" || isToolPart(part),
  );
  return hasContent ? said : [];
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
  loadSkill: PrepareOptions["loadSkill"],
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
    // Before an answer, whose last part may be a call that waits for approval.
    const isAnswer = message.role === "assistant";
    return { ...message, parts: isAnswer ? [text, ...message.parts] : [...message.parts, text] };
  });
}

function isSame(first: LoadedSkill, second: LoadedSkill): boolean {
  return first.label === second.label && first.key === second.key;
}
