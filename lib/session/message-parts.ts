import type { SessionMessagePart } from "./message";

/** Tool parts have the type `tool-<name>` for static tools, else `dynamic-tool`. */
export function isToolPart(part: SessionMessagePart): boolean {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

/** The tool's name; `""` for other parts. */
export function toolNameOf(part: SessionMessagePart): string {
  if (part.type === "dynamic-tool") return typeof part.toolName === "string" ? part.toolName : "";
  return part.type.startsWith("tool-") ? part.type.slice("tool-".length) : "";
}
