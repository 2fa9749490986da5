import type { SessionMessagePart } from "./message";

/** Tool parts have the type `tool-<name>` for static tools, else `dynamic-tool`. */
export function isToolPart(part: SessionMessagePart): boolean {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

const answered: readonly unknown[] = ["output-available", "output-error", "output-denied"];

/** True for a tool call with a result, an error or a refusal. */
export function isAnswered({ state }: SessionMessagePart): boolean {
  return answered.includes(state);
}

/** The tool's name; `""` for other parts. */
export function toolNameOf(part: SessionMessagePart): string {
  if (part.type === "dynamic-tool") return typeof part.toolName === "string" ? part.toolName : "";
  return part.type.startsWith("tool-") ? part.type.slice("tool-".length) : "";
}
