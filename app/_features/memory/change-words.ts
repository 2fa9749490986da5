import type { ContextWire } from "@/lib/chat/wire/context";
import { blockTitle } from "./block-words";

/** `Memory changed` */
export function changeWords({
  label,
  kind,
}: Pick<ContextWire["changes"][number], "label" | "kind">): string {
  return `${blockTitle(label)} ${kind}`;
}
