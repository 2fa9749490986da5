import type { SessionMessage, SessionMessagePart } from "./message";
import { isToolPart, toolNameOf } from "./message-parts";
import type { LoadedSkill } from "./session-provider";

/** A skill came into the conversation, or left it. */
export interface SkillEvent extends LoadedSkill {
  readonly action: "load" | "unload";
}

/** The loads and unloads a message reports in its own tool parts, in order; calls that failed are none. */
export function skillEvents(message: Pick<SessionMessage, "parts">): SkillEvent[] {
  return message.parts.flatMap((part) => eventOf(part) ?? []);
}

/** What is loaded after events in order: each skill once, in order of its latest loading. */
export function loadedAfter(events: readonly SkillEvent[]): LoadedSkill[] {
  const loaded = new Map<string, LoadedSkill>();
  for (const { action, label, key } of events) {
    const name = JSON.stringify([label, key]);
    loaded.delete(name);
    if (action === "load") loaded.set(name, { label, key });
  }
  return [...loaded.values()];
}

/** The skill a `load_context` or `unload_context` part is about; `null` for other parts and for malformed input. */
export function skillOf(part: SessionMessagePart): LoadedSkill | null {
  const name = isToolPart(part) ? toolNameOf(part) : "";
  if (name !== "load_context" && name !== "unload_context") return null;
  if (typeof part.input !== "object" || part.input === null) return null;
  const input = part.input as Record<string, unknown>;
  const label = input.label ?? input.block;
  return typeof label === "string" && typeof input.key === "string"
    ? { label, key: input.key }
    : null;
}

function eventOf(part: SessionMessagePart): SkillEvent | null {
  const skill = skillOf(part);
  if (!skill || part.state !== "output-available" || typeof part.output !== "string") return null;
  if (toolNameOf(part) === "unload_context") {
    return part.output.startsWith("Unloaded ") ? { ...skill, action: "unload" } : null;
  }
  return isFailedLoad(part.output) ? null : { ...skill, action: "load" };
}

function isFailedLoad(output: string): boolean {
  return output.startsWith("Not found") || output.startsWith("Error: ");
}
