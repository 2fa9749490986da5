import type { ContextWire } from "@/lib/chat/wire/context";
import { blockTitle } from "./block-words";

export function changeWords({
  label,
  kind,
}: Pick<ContextWire["changes"][number], "label" | "kind">): string {
  return `${blockTitle(label)} ${kind}`;
}
