import type { SessionMessagePart } from "./message";

/** Whether a part is a tool call: `tool-<name>` when the tool was known at build time, else `dynamic-tool`. */
export function isToolPart(part: SessionMessagePart): boolean {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

/** The name of the tool a part calls; `""` for other parts. */
export function toolNameOf(part: SessionMessagePart): string {
  if (part.type === "dynamic-tool") return typeof part.toolName === "string" ? part.toolName : "";
  return part.type.startsWith("tool-") ? part.type.slice("tool-".length) : "";
}
