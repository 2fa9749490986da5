import { isToolPart, type SessionMessage, type SessionMessagePart, toolNameOf } from "./message";
import type { LoadedSkill } from "./session-provider";

/** A successful load or unload. */
export interface SkillEvent extends LoadedSkill {
  readonly action: "load" | "unload";
}

/** Successful loads and unloads in a message's tool parts, in order. */
export function skillEvents(message: Pick<SessionMessage, "parts">): SkillEvent[] {
  return message.parts.flatMap((part) => eventOf(part) ?? []);
}

/** Each skill once, in order of its latest loading. */
export function loadedAfter(events: readonly SkillEvent[]): LoadedSkill[] {
  const loaded = new Map<string, LoadedSkill>();
  for (const { action, label, key } of events) {
    const name = JSON.stringify([label, key]);
    loaded.delete(name);
    if (action === "load") loaded.set(name, { label, key });
  }
  return [...loaded.values()];
}

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

/** Cloudflare's sessions leave this for an unloaded document. */
const unloadedMark = "[skill unloaded: ";

/** The tools give text when they succeed, and data when they refuse. */
function eventOf(part: SessionMessagePart): SkillEvent | null {
  const skill = skillOf(part);
  if (!skill || part.state !== "output-available" || typeof part.output !== "string") return null;
  if (part.output.startsWith(unloadedMark)) return null;
  return { ...skill, action: toolNameOf(part) === "unload_context" ? "unload" : "load" };
}
