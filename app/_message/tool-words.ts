import { blockTitle } from "@/app/_data/memory/block-words";
import { formatCount, formatTokens } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { type ToolCall, textIn } from "./message-parts";

export function toolWords(call: ToolCall): { readonly verb: string; readonly object: string } {
  const words = wordsFor(call);
  const verb = words?.[stateFor(call)];
  if (verb) return { verb, object: objectOf(call) };
  return { verb: callVerbs[call.state], object: toolName(call) };
}

/** “Weather on Station”; a tool without a title by its name. */
export function toolName({ name, title, origin }: ToolCall): string {
  const shown = title ?? name.replaceAll("_", " ");
  return origin === undefined ? shown : `${shown} on ${origin}`;
}

type KnownState = "running" | "asked" | "done" | "failed";

function stateFor({ state }: ToolCall): KnownState | "denied" {
  return state === "waiting" || state === "allowed" ? "asked" : state;
}

type Verbs = Record<KnownState, string> & { denied?: string };

function wordsFor(call: ToolCall): Verbs | undefined {
  if (call.write?.outcome === "proposed") return proposing;
  return call.write?.outcome === "unchanged" ? repeating : knownTools[call.name];
}

export function outputWords({ write, output }: ToolCall): string {
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

const callVerbs: Record<ToolCall["state"], string> = {
  running: "Calling",
  waiting: "Asks to call",
  allowed: "You allowed",
  denied: "Did not call",
  asked: "Asked to call",
  done: "Called",
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
  read_page: {
    running: "Reading",
    asked: "Asked to read",
    done: "Read",
    failed: "Could not read",
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

function objectOf({ name, input, output }: ToolCall): string {
  const label = field(input, "label");
  const key = field(input, "key") ?? field(field(input, "metadata"), "title");
  const query = field(input, "query") ?? field(field(output, "action"), "query");
  if (name === "session_search" || name === "web_search")
    return query ? `“${isolated(String(query))}”` : "…";
  if (name === "read_page") {
    const place = field(output, "title") ?? field(input, "url");
    return typeof place === "string" ? isolated(place) : "…";
  }
  const block = blockTitle(typeof label === "string" ? label : "knowledge");
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
