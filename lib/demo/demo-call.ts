import type { LanguageModelV4CallOptions, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { type CallPurpose, readGroveOptions } from "@/lib/llm/grove-options";

type Prompt = LanguageModelV4CallOptions["prompt"];

export type DemoOutcome = {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly failed: boolean;
  readonly denied: boolean;
};

export type DemoCall = {
  readonly system: string;
  readonly question: string;
  readonly files: readonly string[];
  readonly outcomes: readonly DemoOutcome[];
  readonly loadedKeys: readonly string[];
  readonly purpose: CallPurpose | null;
  readonly seed: number;
  readonly promptText: string;
};

export function readCall(options: LanguageModelV4CallOptions): DemoCall {
  const { prompt, providerOptions } = options;
  const { purpose, variation } = readGroveOptions(providerOptions);
  const lastQuestion = prompt.findLastIndex(({ role }) => role === "user");
  const question = textOf(prompt[lastQuestion]);
  const promptText = JSON.stringify(prompt, (_, value: unknown) =>
    value instanceof Uint8Array ? value.length : value,
  );
  const varied = variation ?? options.seed ?? hashOf(JSON.stringify(providerOptions ?? {}));
  return {
    system: prompt.map((message) => (message.role === "system" ? message.content : "")).join("\n"),
    question,
    files: filesIn(prompt[lastQuestion]),
    outcomes: outcomesIn(prompt.slice(lastQuestion + 1)),
    loadedKeys: outcomesIn(prompt).flatMap(loadedKey),
    purpose: purpose ?? null,
    seed: (hashOf(`${question} ${prompt.length}`) % 1_000_000) + varied,
    promptText,
  };
}

export interface CutOffCall {
  readonly options: LanguageModelV4CallOptions;
  readonly written: string;
}

export function cutOffCall(options: LanguageModelV4CallOptions): CutOffCall | null {
  const { prompt } = options;
  const last = prompt.at(-1);
  const answer = prompt.at(-2);
  if (!textOf(last).startsWith("(Your last answer was cut off.") || answer?.role !== "assistant")
    return null;
  const written = answer.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { options: { ...options, prompt: prompt.slice(0, -2) }, written };
}

function textOf(message: Prompt[number] | undefined): string {
  if (message?.role !== "user") return "";
  return message.content
    .map((part) => (part.type === "text" && !isFileText(part.text) ? part.text : ""))
    .join("\n")
    .trim();
}

function isFileText(text: string): boolean {
  return /^\[File “[^\n]*(begins\]\n|not sent: [^\n]*\]$)/.test(text);
}

function filesIn(message: Prompt[number] | undefined): string[] {
  if (message?.role !== "user") return [];
  return message.content.flatMap((part) => {
    if (part.type === "file") return `${part.filename}: ${part.mediaType}, ${sizeOf(part.data)}`;
    if (part.type !== "text" || !isFileText(part.text)) return [];
    const [first = ""] = part.text.split("\n");
    return first.endsWith(" begins]")
      ? `${nameIn(first)}: text, ${part.text.length - first.length} characters`
      : first.slice(1, -1);
  });
}

function nameIn(line: string): string {
  return /“(.*)”/.exec(line)?.[1] ?? "";
}

type PromptMessage = Prompt[number];
type UserPart = Extract<PromptMessage, { role: "user" }>["content"][number];

function sizeOf(data: Extract<UserPart, { type: "file" }>["data"]): string {
  const isBytes = data.type === "data" && data.data instanceof Uint8Array;
  return isBytes ? `${data.data.length.toLocaleString("en")} bytes` : "of unknown size";
}

function outcomesIn(messages: Prompt): DemoOutcome[] {
  const inputs = new Map<string, DemoOutcome["input"]>();
  const outcomes: DemoOutcome[] = [];
  for (const message of messages) {
    if (message.role !== "assistant" && message.role !== "tool") continue;
    for (const part of message.content) {
      if (part.type === "tool-call") inputs.set(part.toolCallId, recordOf(part.input));
      if (part.type !== "tool-result") continue;
      const { toolName, toolCallId, output } = part;
      const text = outputText(output);
      const failed = output.type.startsWith("error") || text.startsWith("Error");
      const denied = output.type === "execution-denied";
      outcomes.push({ toolName, input: inputs.get(toolCallId) ?? {}, text, failed, denied });
    }
  }
  return outcomes;
}

function loadedKey({ toolName, input, failed }: DemoOutcome): string[] {
  return toolName === "load_context" && !failed && typeof input.key === "string" ? [input.key] : [];
}

function recordOf(input: unknown): DemoOutcome["input"] {
  return typeof input === "object" && input !== null ? { ...input } : {};
}

function outputText(output: LanguageModelV4ToolResultPart["output"]): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value, null, 2);
    case "execution-denied":
      return output.reason ?? "";
    case "content":
      return output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  }
}

const rule = "═".repeat(46);

export function promptBlock(system: string, label: string): string | null {
  const parts = system.split(rule);
  // A rendered block is rule, header, rule, content.
  const header = parts.findIndex((part) => new RegExp(`^\\s*${label}\\b`, "i").test(part));
  return header === -1 ? null : (parts[header + 1] ?? "").trim();
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

export function chosen(choices: readonly [string, ...string[]], seed: number): string {
  return choices[seed % choices.length] ?? choices[0];
}
