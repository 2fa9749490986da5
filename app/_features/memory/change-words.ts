import type { ContextWire } from "@/lib/chat/wire/context";
import { blockTitle } from "./block-words";

/** `Memory changed`: what the session's model does not know yet about one block. */
export function changeWords({
  label,
  kind,
}: Pick<ContextWire["changes"][number], "label" | "kind">): string {
  return `${blockTitle(label)} ${kind}`;
}
