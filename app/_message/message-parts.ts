import type { DynamicToolUIPart, ToolUIPart } from "ai";
import type { SetContextOutput } from "grove-session";
import { safeHref } from "@/app/_ui/markdown/link-address";
import { type AttachedFile, attachedFile } from "@/lib/chat/wire/files";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import type { QuestionWire } from "@/lib/chat/wire/questions";

type MessagePart = GroveMessage["parts"][number];

/** Parts only for the model are dropped. */
export type ShownPart =
  | { readonly kind: "text"; readonly key: string; readonly text: string }
  | {
      readonly kind: "reasoning";
      readonly key: string;
      readonly text: string;
      readonly isOpen: boolean;
      readonly parts: { readonly first: number; readonly count: number };
    }
  | { readonly kind: "tool"; readonly key: string; readonly call: ShownCall }
  | { readonly kind: "stored-file"; readonly key: string; readonly file: AttachedFile }
  | {
      readonly kind: "file";
      readonly key: string;
      readonly name: string;
      readonly mediaType: string;
      /** An address that is never fetched unasked. */
      readonly address: string | null;
    };

export interface ShownCall {
  readonly id: string;
  readonly name: string;
  readonly title?: string;
  readonly origin?: string;
  /** `asked`: without a result, as of a program that runs its own tools; `allowed`: not called yet. */
  readonly state: "running" | "waiting" | "allowed" | "denied" | "asked" | "done" | "failed";
  readonly approvalId?: string;
  readonly reason?: string;
  readonly progress?: string;
  readonly question?: QuestionWire;
  readonly files?: readonly ToolFile[];
  readonly input: unknown;
  readonly output: unknown;
  readonly write?: SetContextOutput;
  readonly errorText: string | null;
  readonly tookMs?: number;
}

export interface ToolFile {
  readonly name: string;
  readonly mediaType: string;
  readonly sha256: string | null;
}

/** Keys are stable while parts are being written. */
export function shownParts(message: GroveMessage): readonly ShownPart[] {
  const shown: ShownPart[] = [];
  let thoughts = 0;
  for (const [index, part] of message.parts.entries()) {
    const next = shownPart(part, { key: String(index), thoughts });
    if (part.type === "reasoning") thoughts += 1;
    const last = shown.at(-1);
    if (next?.kind === "reasoning" && last?.kind === "reasoning") {
      const { first } = last.parts;
      const parts = { first, count: thoughts - first };
      const text = `${last.text}\n\n${next.text}`;
      shown[shown.length - 1] = { ...next, key: last.key, text, parts };
    } else if (next) shown.push(next);
  }
  return shown;
}

export function storedParts(message: GroveMessage): readonly ShownPart[] {
  return shownParts(message).map((part) => {
    if (part.kind !== "tool") return part;
    const { state } = part.call;
    const isOver = state === "running" || state === "waiting" || state === "allowed";
    return isOver ? { ...part, call: { ...part.call, state: "asked" } } : part;
  });
}

export interface AnswerSource {
  readonly address: string;
  readonly title: string;
}

export function sourcesOf({ parts }: Pick<GroveMessage, "parts">): readonly AnswerSource[] {
  const said = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const found = parts.flatMap((part): { url: unknown; title: unknown }[] => {
    if (part.type === "source-url") return [{ url: part.url, title: part.title }];
    if (!isTool(part) || part.state !== "output-available") return [];
    const { name, output } = toolCall(part);
    if (name === "read_page") return [pageIn(output)];
    return name === "web_search"
      ? resultsIn(output).filter(({ url }) => typeof url === "string" && said.includes(url))
      : [];
  });
  const sources = found.flatMap(({ url, title }) => {
    const address = typeof url === "string" ? webAddress(url) : null;
    if (address === null) return [];
    return { address, title: typeof title === "string" && title !== "" ? title : address };
  });
  return [...new Map(sources.map((source) => [source.address, source])).values()];
}

function pageIn(output: unknown): { url: unknown; title: unknown } {
  const { url = null, title = null } =
    typeof output === "object" && output !== null ? (output as Record<string, unknown>) : {};
  return { url, title };
}

function resultsIn(output: unknown): { url: unknown; title: unknown }[] {
  const { results } =
    typeof output === "object" && output !== null ? (output as Record<string, unknown>) : {};
  return Array.isArray(results) ? results.map(pageIn) : [];
}

function shownPart(
  part: MessagePart,
  { key, thoughts }: { key: string; thoughts: number },
): ShownPart | null {
  if (part.type === "text") return part.text === "" ? null : { kind: "text", key, text: part.text };
  if (part.type === "reasoning") {
    const isOpen = part.state === "streaming";
    return part.text.trim() === "" && !isOpen
      ? null
      : { kind: "reasoning", key, text: part.text, isOpen, parts: { first: thoughts, count: 1 } };
  }
  if (part.type === "file") {
    const file = attachedFile(part);
    if (file) return { kind: "stored-file", key, file };
    const { filename, mediaType } = part;
    const name = filename ?? (mediaType.startsWith("image/") ? "Image" : "File");
    return { kind: "file", key, name, mediaType, address: webAddress(part.url) };
  }
  if (isTool(part)) return { kind: "tool", key, call: toolCall(part) };
  return null;
}

function webAddress(url: string): string | null {
  return /^https?:/i.test(url) ? safeHref(url) : null;
}

function isTool(part: MessagePart): part is ToolUIPart | DynamicToolUIPart {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

function toolCall(part: ToolUIPart | DynamicToolUIPart): ShownCall {
  const name = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
  const call = {
    id: part.toolCallId,
    name,
    input: part.input,
    output: undefined,
    errorText: null,
    ...(part.title !== undefined && { title: part.title }),
    ...originOf(part),
    ...(part.approval && { approvalId: part.approval.id }),
    ...(part.approval?.reason !== undefined && { reason: part.approval.reason }),
  };
  switch (part.state) {
    case "output-available":
      if (part.preliminary) {
        const progress = textIn(part.output);
        return { ...call, state: "running", progress, ...questionIn(part.output) };
      }
      return { ...call, ...whatCameOf(name, part.output) };
    case "output-error":
      return { ...call, state: "failed", errorText: part.errorText };
    case "output-denied":
      return { ...call, state: "denied" };
    case "approval-requested":
      return { ...call, state: "waiting" };
    case "approval-responded":
      return { ...call, state: part.approval.approved ? "allowed" : "denied" };
    default:
      return { ...call, state: "running" };
  }
}

function originOf({ toolMetadata }: ToolUIPart | DynamicToolUIPart): { origin?: string } {
  const origin = toolMetadata?.origin;
  const isNamed = typeof origin === "object" && origin !== null && "name" in origin;
  return isNamed && typeof origin.name === "string" ? { origin: origin.name } : {};
}

function whatCameOf(
  name: string,
  output: unknown,
): Pick<ShownCall, "state" | "output" | "write" | "errorText" | "files"> {
  // Anthropic's results hold texts that only its models read.
  if (name === "web_search" && Array.isArray(output))
    return { state: "done", output: { results: output.map(pageIn) }, errorText: null };
  const result = name.endsWith("_context") && hasOutcome(output) ? output : null;
  if (result?.outcome === "refused") return { state: "failed", output, errorText: result.reason };
  const files = filesIn(output);
  return {
    state: "done",
    output,
    errorText: null,
    ...(result && { write: result }),
    ...(files.length > 0 && { files }),
  };
}

export function textIn(output: unknown): string {
  const isText = typeof output === "object" && output !== null && "text" in output;
  return isText && typeof output.text === "string" ? output.text : "";
}

function questionIn(output: unknown): { question?: QuestionWire } {
  const isAsking = typeof output === "object" && output !== null && "question" in output;
  return isAsking ? { question: output.question as QuestionWire } : {};
}

function filesIn(output: unknown): ToolFile[] {
  const hasFiles = typeof output === "object" && output !== null && "files" in output;
  if (!hasFiles || !Array.isArray(output.files)) return [];
  return output.files.flatMap((file: Record<string, unknown>) => {
    const { name, mediaType, url } = file;
    if (typeof name !== "string" || typeof mediaType !== "string") return [];
    const hash = /^grove-file:([0-9a-f]{64})$/.exec(String(url))?.[1] ?? null;
    return [{ name, mediaType, sha256: hash }];
  });
}

function hasOutcome(output: unknown): output is SetContextOutput {
  return typeof output === "object" && output !== null && "outcome" in output;
}
