import { z } from "zod";
import type { SessionMessage, SessionMessagePart } from "./message";

const keptSchema = z.object({ item: z.unknown(), digest: z.string() });

/**
 * Keeps an item of another system in a message's metadata under `name`. The parts stay the truth: the item is only
 * what they cannot express.
 */
export function withForeignItem<Message extends SessionMessage>(
  message: Message,
  name: string,
  item: unknown,
): Message {
  const kept = { item, digest: digestOf(message.parts) };
  return { ...message, metadata: { ...recordOf(message.metadata), [name]: kept } };
}

/** The item kept under `name`; `null` without one, or when the parts were edited since and it must be made again. */
export function foreignItem(
  message: Pick<SessionMessage, "parts" | "metadata">,
  name: string,
): { readonly item: unknown } | null {
  const kept = keptSchema.safeParse(recordOf(message.metadata)[name]);
  if (!kept.success || kept.data.digest !== digestOf(message.parts)) return null;
  return { item: kept.data.item };
}

function recordOf(metadata: unknown): Readonly<Record<string, unknown>> {
  return typeof metadata === "object" && metadata !== null ? { ...metadata } : {};
}

/** Detects edits, not forgeries: two FNV-1a hashes with different factors, and the length. */
function digestOf(parts: readonly SessionMessagePart[]): string {
  const text = JSON.stringify(parts);
  let [first, second] = [0x811c9dc5, 0x811c9dc5];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
  }
  return [first, second, text.length].map((part) => (part >>> 0).toString(16)).join("-");
}
