import type { UIMessageChunk } from "ai";
import type { SessionMessagePart } from "grove-session";
import { isToolPart } from "grove-session";
import { isNestedTooDeeply } from "@/lib/text/json-depth";

type Fields = Readonly<Record<string, unknown>> & { readonly type: string };

interface Call {
  /** Differs from the given id when a server gave it to two calls. */
  readonly id: string;
  step: number;
  isDynamic: boolean;
  isInputWhole: boolean;
  isAnswered: boolean;
}

const unknownTool = "unknown";
const unstorable = "Grove could not store this: it is nested too deeply, or is no JSON.";

/** Makes any chunks a sequence that the SDK's reader takes without losing a word. Well-formed sequences stay. */
export class ChunkRepair {
  readonly #open = { text: new Set<string>(), reasoning: new Set<string>() };
  readonly #calls = new Map<string, Call[]>();
  readonly #taken = new Set<string>();
  readonly #approvals = new Map<string, Call>();
  #step = 0;

  constructor(before: readonly SessionMessagePart[] = []) {
    const lastStep = before.filter(({ type }) => type === "step-start").length;
    for (const part of before) {
      if (part.type === "step-start") this.#step++;
      if (isToolPart(part)) this.#addKnown(part, this.#step === lastStep);
    }
  }

  repaired(given: unknown): UIMessageChunk[] {
    const chunk = storableFields(given);
    if (!chunk) return [];
    const { type } = chunk;
    if (/^(text|reasoning)-(start|delta|end)$/.test(type)) return this.#written(chunk);
    if (type.startsWith("tool-")) return this.#ofCall(chunk);
    if (type === "start-step") this.#step++;
    if (!isWhole(chunk)) return [];
    const { messageMetadata, ...plain } = chunk as Fields & { readonly messageMetadata?: unknown };
    const isObject = typeof messageMetadata === "object" && messageMetadata !== null;
    return [(isObject ? chunk : plain) as UIMessageChunk];
  }

  #written(chunk: Fields): UIMessageChunk[] {
    const [kind, moment] = chunk.type.split("-") as ["text" | "reasoning", string];
    const open = this.#open[kind];
    const id = textOf(chunk.id);
    const whole = { ...chunk, id } as UIMessageChunk;
    if (moment === "start") {
      open.add(id);
      return [whole];
    }
    if (moment === "end") return open.delete(id) ? [whole] : [];
    const delta = { ...chunk, id, delta: textOf(chunk.delta) } as UIMessageChunk;
    if (open.has(id)) return [delta];
    open.add(id);
    return [{ type: `${kind}-start`, id }, delta];
  }

  #ofCall(chunk: Fields): UIMessageChunk[] {
    const given = textOf(chunk.toolCallId);
    const open = this.#unanswered(given);
    switch (chunk.type) {
      case "tool-input-start":
        return [this.#begun(chunk, { given, isInputWhole: false })];
      case "tool-input-delta":
        return this.#inputDelta(chunk, given);
      case "tool-input-available":
      case "tool-input-error":
        return [this.#inputWhole(chunk, given)];
      case "tool-approval-request":
        if (!open || typeof chunk.approvalId !== "string") return [];
        this.#approvals.set(chunk.approvalId, open);
        return [ofCall(chunk, open)];
      case "tool-approval-response": {
        const call = this.#approvals.get(textOf(chunk.approvalId));
        return call && !call.isAnswered ? [chunk as UIMessageChunk] : [];
      }
      case "tool-output-denied":
        return open ? [this.#answered(chunk, open)] : [];
      case "tool-output-available":
      case "tool-output-error":
        return this.#output(chunk, { given, open });
      default:
        return [];
    }
  }

  #inputDelta(chunk: Fields, given: string): UIMessageChunk[] {
    const calls = this.#calls.get(given) ?? [];
    const streaming = calls.findLast(({ isInputWhole }) => !isInputWhole);
    const inputTextDelta = textOf(chunk.inputTextDelta);
    if (streaming) {
      streaming.step = this.#step;
      return [{ ...ofCall(chunk, streaming), inputTextDelta } as UIMessageChunk];
    }
    if (calls.length > 0) return [];
    const start = { type: "tool-input-start", toolName: unknownTool, dynamic: true };
    const begun = this.#begun(start, { given, isInputWhole: false });
    return [begun, { ...chunk, toolCallId: given, inputTextDelta } as UIMessageChunk];
  }

  #inputWhole(chunk: Fields, given: string): UIMessageChunk {
    const isError = chunk.type === "tool-input-error";
    const calls = this.#calls.get(given) ?? [];
    const known = calls.findLast(
      (call) => call.step === this.#step && !call.isAnswered && (isError || !call.isInputWhole),
    );
    const whole = isError ? { ...chunk, errorText: textOf(chunk.errorText) } : chunk;
    if (!known) return this.#begun(whole, { given, isInputWhole: true, isAnswered: isError });
    known.isInputWhole = true;
    known.isAnswered = isError;
    const { dynamic: _, ...fields } = whole as Fields & { readonly dynamic?: unknown };
    const kind = known.isDynamic ? { dynamic: true } : {};
    return ofCall({ ...fields, ...kind, toolName: nameOf(chunk) }, known);
  }

  #output(
    chunk: Fields,
    { given, open }: { readonly given: string; readonly open: Call | null },
  ): UIMessageChunk[] {
    const isError = chunk.type === "tool-output-error";
    const whole = isError ? { ...chunk, errorText: textOf(chunk.errorText) } : chunk;
    if (open) return [this.#answered(whole, open)];
    if (chunk.preliminary === true && this.#calls.has(given)) return [];
    const input = { type: "tool-input-available", toolName: unknownTool, input: {}, dynamic: true };
    const call = this.#begun(input, { given, isInputWhole: true });
    const made = this.#unanswered(given);
    return made ? [call, this.#answered(whole, made)] : [call];
  }

  #answered(chunk: Fields, call: Call): UIMessageChunk {
    call.isAnswered = chunk.preliminary !== true;
    call.isInputWhole = true;
    return ofCall(chunk, call);
  }

  #begun(
    chunk: Fields,
    {
      given,
      isInputWhole,
      isAnswered = false,
    }: { readonly given: string; readonly isInputWhole: boolean; readonly isAnswered?: boolean },
  ): UIMessageChunk {
    const isDynamic = chunk.dynamic === true;
    const id = this.#freeId(given);
    this.#add(given, { id, step: this.#step, isDynamic, isInputWhole, isAnswered });
    return { ...chunk, toolCallId: id, toolName: nameOf(chunk) } as UIMessageChunk;
  }

  #freeId(given: string): string {
    const calls = this.#calls.get(given) ?? [];
    const isFree = calls.every(({ isAnswered, step }) => isAnswered && step !== this.#step);
    if (isFree && (calls.length > 0 || !this.#taken.has(given))) return given;
    for (let number = 2; ; number++) {
      const id = `${given}-${number}`;
      if (!this.#taken.has(id)) return id;
    }
  }

  #unanswered(given: string): Call | null {
    const calls = (this.#calls.get(given) ?? []).filter(({ isAnswered }) => !isAnswered);
    return calls.find(({ step }) => step === this.#step) ?? calls.at(-1) ?? null;
  }

  #add(given: string, call: Call): void {
    const calls = this.#calls.get(given);
    if (calls) calls.push(call);
    else this.#calls.set(given, [call]);
    this.#taken.add(call.id);
  }

  /** The reader continues an input of the last step only. */
  #addKnown(part: SessionMessagePart, isInLastStep: boolean): void {
    const { type, state, toolCallId, preliminary, approval } = part;
    const call: Call = {
      id: textOf(toolCallId),
      step: this.#step,
      isDynamic: type === "dynamic-tool",
      isInputWhole: !isInLastStep || state !== "input-streaming",
      isAnswered: /^output-/.test(textOf(state)) && preliminary !== true,
    };
    this.#add(call.id, call);
    const id = typeof approval === "object" && approval && "id" in approval ? approval.id : null;
    if (typeof id === "string") this.#approvals.set(id, call);
  }
}

function ofCall(chunk: Fields, { id }: Call): UIMessageChunk {
  return { ...chunk, toolCallId: id } as unknown as UIMessageChunk;
}

function nameOf({ toolName }: Fields): string {
  return textOf(toolName) || unknownTool;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : "";
}

const neededTexts: Readonly<Record<string, readonly string[]>> = {
  file: ["url", "mediaType"],
  "reasoning-file": ["url", "mediaType"],
  "source-url": ["sourceId", "url"],
  "source-document": ["sourceId", "mediaType", "title"],
  custom: ["kind"],
};

const others: readonly string[] = [
  ...["start", "start-step", "finish-step", "finish", "message-metadata", "abort", "error"],
];

function isWhole(chunk: Fields): boolean {
  if (chunk.type.startsWith("data-")) return true;
  if (others.includes(chunk.type)) return true;
  const needed = Object.hasOwn(neededTexts, chunk.type) ? neededTexts[chunk.type] : undefined;
  return needed?.every((name) => typeof chunk[name] === "string") ?? false;
}

function storableFields(given: unknown): Fields | null {
  if (typeof given !== "object" || given === null) return null;
  const chunk = given as Fields;
  if (typeof chunk.type !== "string") return null;
  if (Object.values(chunk).every((value) => isStorable(value))) return chunk;
  const fields = Object.entries(chunk).flatMap(([name, value]) => {
    if (isStorable(value)) return [[name, value]];
    if (name === "output") return [[name, asText(value)]];
    return name === "input" ? [[name, { text: asText(value) }]] : [];
  });
  return { ...Object.fromEntries(fields), type: chunk.type };
}

function isStorable(value: unknown): boolean {
  if (typeof value === "bigint" || typeof value === "function") return false;
  if (typeof value !== "object" || value === null) return true;
  try {
    return !isNestedTooDeeply(JSON.stringify(value));
  } catch {
    return false;
  }
}

function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return unstorable;
  }
}
