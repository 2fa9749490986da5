import type { ContextWire } from "@/lib/chat/wire";
import { blockTitle } from "./block-words";

/** `Memory changed, Todos added`: what the session's model does not know yet. */
export function changeWords(changes: ContextWire["changes"]): string {
  return changes.map(({ label, kind }) => `${blockTitle(label)} ${kind}`).join(", ");
}
