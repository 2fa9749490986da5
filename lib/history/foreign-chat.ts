import type { SessionMessagePart } from "grove-session";
import { anything } from "./fields";

export interface ForeignChat {
  /** Stable, so that importing the chat again finds it here. */
  readonly id: string;
  readonly product: string;
  readonly title: string;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  readonly tags: readonly string[];
  readonly nodes: readonly ForeignNode[];
  readonly currentId: string | null;
  readonly instructions: readonly string[];
  readonly unshown?: readonly string[];
  readonly losses: readonly string[];
}

/** Without parts, a place in the tree whose children belong to its parent. */
export interface ForeignNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: "system" | "user" | "assistant";
  readonly parts: readonly SessionMessagePart[];
  readonly createdAt: Date | null;
  readonly model?: string | undefined;
  readonly isCutOff?: boolean | undefined;
}

export class ForeignFormatError extends Error {
  override readonly name = "ForeignFormatError";
}

export const resultPart = "tool-result-of-call";

export function toolCall(given: {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}): SessionMessagePart {
  const { id, name, input } = given;
  return {
    type: "dynamic-tool",
    toolName: name || "tool",
    toolCallId: id,
    state: "input-available",
    input: input ?? {},
  };
}

export function toolResult(given: {
  /** `null`: the result belongs to the last call without one. */
  readonly callId: string | null;
  readonly id: string;
  readonly name: string;
  readonly output: unknown;
  readonly error?: string | undefined;
}): SessionMessagePart {
  return { type: resultPart, ...given };
}

/** A result without its call becomes a call of its own. */
export function joinToolResults(parts: readonly SessionMessagePart[]): SessionMessagePart[] {
  const joined: SessionMessagePart[] = [];
  for (const part of parts) {
    if (part.type !== resultPart) {
      joined.push(part);
      continue;
    }
    const { callId, id, name, output, error } = part;
    const at = joined.findLastIndex(
      (each) => each.state === "input-available" && (callId === null || each.toolCallId === callId),
    );
    const call = joined[at] ?? toolCall({ id: String(id), name: String(name), input: {} });
    const done =
      typeof error === "string"
        ? { ...call, state: "output-error", errorText: error }
        : { ...call, state: "output-available", output: output ?? null };
    if (at === -1) joined.push(done);
    else joined[at] = done;
  }
  return joined;
}

export function textPart(text: string): SessionMessagePart[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

export function reasoningPart(text: string): SessionMessagePart[] {
  return text.trim() === "" ? [] : [{ type: "reasoning", text }];
}

const exportedFile = "file-of-export";

export function exportedFilePart(given: {
  readonly id: string;
  readonly name: string;
  readonly dataUrl?: string | undefined;
}): SessionMessagePart {
  return { type: exportedFile, ...given };
}

export interface ExportedFile {
  readonly id: string;
  readonly name: string;
  readonly dataUrl?: string | undefined;
}

export function exportedFileOf(part: SessionMessagePart): ExportedFile | null {
  const { type, id, name, dataUrl } = part;
  if (type !== exportedFile) return null;
  const held = typeof dataUrl === "string" ? { dataUrl } : {};
  return { id: String(id), name: String(name), ...held };
}

export function blockOf(given: unknown): Record<string, unknown> {
  return typeof given === "string" ? { type: "text", text: given } : anything.parse(given);
}

export function lostKind(kind: unknown): string {
  const name = typeof kind === "string" && kind !== "" ? kind.slice(0, 50) : "unknown";
  return `Content of the kind “${name}” is not imported.`;
}

export function named(files: readonly string[]): string {
  const shown = files
    .slice(0, 5)
    .map((name) => `“${name.slice(0, 100)}”`)
    .join(", ");
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown;
}
