import { targetName } from "@/app/_data/memory/block-words";
import { formatCount, formatTokens } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { namedPages } from "@/lib/chat/wire/knowledge";
import { type ShownCall, textIn } from "./message-parts";

export function toolWords(call: ShownCall): { readonly verb: string; readonly object: string } {
  const words = wordsFor(call);
  const verb = words?.[stateFor(call)];
  if (verb) return { verb, object: objectOf(call) };
  return { verb: callVerbs[call.state] ?? "", object: toolName(call) };
}

export interface CallWords {
  readonly argument: string;
  readonly outcome: string;
}

const longestShown = 200;
const longestOutcome = 60;

export function callWords(call: ShownCall): CallWords {
  if (wordsFor(call)) return { argument: "", outcome: "" };
  return { argument: firstArgument(call.input), outcome: outcomeOf(call) };
}

function firstArgument(input: unknown): string {
  const values = typeof input === "object" && input !== null ? Object.values(input) : [input];
  for (const value of values) {
    const text = Array.isArray(value) ? value.filter(isSimple).join(" ") : value;
    if (isSimple(text) && String(text).trim() !== "") return onOneLine(String(text));
  }
  return "";
}

function isSimple(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function onOneLine(text: string): string {
  const line = text
    .slice(0, 2 * longestShown)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > longestShown ? `${line.slice(0, longestShown).toWellFormed()}…` : line;
}

function outcomeOf(call: ShownCall): string {
  if (call.state === "failed") return onOneLine(call.errorText ?? "").slice(0, longestShown);
  if (call.state !== "done") return "";
  const { output } = call;
  const text = typeof output === "string" ? output : textIn(output) || JSON.stringify(output ?? "");
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === '""') return "no output";
  const lines = trimmed.split("\n").length;
  if (lines > 1) return `${formatCount(lines)} lines`;
  return trimmed.length <= longestOutcome ? trimmed : `${formatCount(trimmed.length)} characters`;
}

export function foldWords(calls: readonly ShownCall[]): { count: string; tools: string } {
  const names = [...new Set(calls.map((call) => toolName(call)))];
  const shown = names.slice(0, mostNames).map(isolated).join(", ");
  return {
    count: `${formatCount(calls.length)} calls`,
    tools: names.length > mostNames ? `${shown}…` : shown,
  };
}

const mostNames = 4;

export function tookWords(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

export function toolName({ name, title, origin }: ShownCall): string {
  const shown = title ?? name.replaceAll("_", " ");
  return origin === undefined ? shown : `${shown} on ${origin}`;
}

type KnownState = "running" | "asked" | "done" | "failed";

function stateFor({ state }: ShownCall): KnownState | "denied" {
  return state === "waiting" || state === "allowed" ? "asked" : state;
}

type Verbs = Record<KnownState, string> & { denied?: string };

function wordsFor(call: ShownCall): Verbs | undefined {
  if (call.write?.outcome === "proposed") return proposing;
  return call.write?.outcome === "unchanged" ? repeating : knownTools[call.name];
}

export function outputWords({ write, output }: ShownCall): string {
  switch (write?.outcome) {
    case "written":
      return write.tokens === undefined ? "Written." : `Written. Now ${tokensOf(write)}.`;
    case "unchanged":
      return "Nothing was written: the block already says this.";
    case "proposed":
      return "Nothing is written until you decide.";
    case "refused":
      return write.reason;
    case undefined:
      return textIn(output) || readable(output);
  }
}

function tokensOf({ tokens = 0, maxTokens }: { tokens?: number; maxTokens?: number }): string {
  return maxTokens === undefined
    ? formatTokens(tokens)
    : `${formatCount(tokens)} of ${formatTokens(maxTokens)}`;
}

const callVerbs: Record<ShownCall["state"], string | null> = {
  running: "Calling",
  waiting: "Asks to call",
  allowed: "You allowed",
  denied: "Did not call",
  asked: "Asked to call",
  done: null,
  failed: "Could not call",
};

const knownTools: Record<string, Verbs> = {
  set_context: {
    running: "Writing to",
    asked: "Asked to write to",
    done: "Wrote to",
    failed: "Could not write to",
    denied: "Did not write to",
  },
  load_context: {
    running: "Loading",
    asked: "Asked to load",
    done: "Loaded",
    failed: "Could not load",
  },
  unload_context: {
    running: "Unloading",
    asked: "Asked to unload",
    done: "Unloaded",
    failed: "Could not unload",
  },
  search_context: {
    running: "Searching",
    asked: "Asked to search",
    done: "Searched",
    failed: "Could not search",
  },
  web_search: {
    running: "Searching the web for",
    asked: "Asked to search the web for",
    done: "Searched the web for",
    failed: "Could not search the web for",
  },
  search_files: {
    running: "Searching files for",
    asked: "Asked to search files for",
    done: "Searched files for",
    failed: "Could not search files for",
  },
  read_pages: {
    running: "Reading",
    asked: "Asked to read",
    done: "Read",
    failed: "Could not read",
  },
  read_page: { running: "Reading", asked: "Asked to read", done: "Read", failed: "Could not read" },
  find_tools: {
    running: "Looking for tools for",
    asked: "Asked to look for tools for",
    done: "Looked for tools for",
    failed: "Could not look for tools for",
  },
  session_search: {
    running: "Searching earlier chats for",
    asked: "Asked to search earlier chats for",
    done: "Searched earlier chats for",
    failed: "Could not search earlier chats for",
  },
};

const proposing = {
  running: "Proposing a change to",
  asked: "Asked to propose a change to",
  done: "Proposed a change to",
  failed: "Could not propose a change to",
};

const repeating = {
  running: "Writing to",
  asked: "Asked to write to",
  done: "Nothing new for",
  failed: "Could not write to",
};

function objectOf({ name, input, output }: ShownCall): string {
  const label = field(input, "label");
  const key = field(input, "key") ?? field(field(input, "metadata"), "title");
  const query = field(input, "query") ?? field(field(output, "action"), "query");
  if (["session_search", "web_search", "find_tools", "search_files"].includes(name))
    return query ? `“${isolated(String(query))}”` : "…";
  if (name === "read_pages") {
    const [first] = namedPages(output);
    const file = first?.name ?? field(input, "file");
    return typeof file === "string" ? `${isolated(file)}, p. ${field(input, "pages")}` : "…";
  }
  if (name === "read_page") {
    const place = field(output, "title") ?? field(input, "url");
    return typeof place === "string" ? isolated(place) : "…";
  }
  const block = targetName({ label: typeof label === "string" ? label : "knowledge" });
  if (query) return `${block} for “${isolated(String(query))}”`;
  if (typeof label !== "string") return typeof key === "string" ? isolated(key) : "…";
  return typeof key === "string" ? `${block} · ${isolated(key)}` : block;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export function readable(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}
