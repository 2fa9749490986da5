import type { BlockWire } from "./memory";

export interface GaugeWire {
  /** Tokens the next request would carry, by source. */
  parts: {
    source: "prompt" | "messages" | "summaries" | "tools" | "skills";
    label: string;
    tokens: number;
  }[];
  usedTokens: number;
  contextWindow: number;
  /** Nobody knows the model's window, so this one is assumed. */
  isWindowAssumed: boolean;
  /** What the model counts for each token that is estimated. */
  tokenScale: number;
  /** Tool outputs that the next request would carry shortened; `null` when all are whole. */
  shortened: { count: number; shownChars: number; totalChars: number } | null;
  /** Dollars for the next request's input; `null` when the price is unknown. */
  nextCost: number | null;
}

/** `GET /api/sessions/:id/context?leaf=` */
export interface ContextWire {
  blocks: BlockWire[];
  /** The frozen prompt, as the model gets it. */
  prompt: string;
  /** Blocks whose text differs between the frozen prompt and now. */
  changes: {
    label: string;
    kind: "added" | "changed" | "removed";
    before: string;
    after: string;
  }[];
  loadedSkills: { label: string; key: string }[];
  gauge: GaugeWire;
}

/** `GET /api/sessions/:id/messages/:messageId/uses` → `{ uses: UseWire[] }`: something of memory that an answer used. */
export interface UseWire {
  label: string;
  /** `null` for the text of a plain block. */
  key: string | null;
  /** It stood in the prompt, was found by a search, or was loaded whole. */
  how: "prompt" | "found" | "loaded";
}

/** `GET /api/sessions/:id/messages/:messageId/receipt`: exactly what the model was given for one answer. */
export interface ReceiptWire {
  model: string;
  prompt: string;
  /** In order; summaries appear as `compaction_<id>`. */
  messages: {
    id: string;
    role: string;
    preview: string;
    tokens: number;
    /** Tool outputs of which the model got only the beginning. */
    shortened?: { toolName: string; shownChars: number; totalChars: number }[];
  }[];
  /** In the prompt, at the version it was made from; empty for a prompt that was kept without them. */
  blocks: { blockId?: string; label: string; version: number }[];
  skills: { label: string; key: string }[];
  /** Blocks that said something in the prompt, skills loaded and entries found; once the answer has ended, all of them. */
  used?: UseWire[];
  tools: string[];
  tokens: { prompt: number; messages: number; tools: number };
  usage: { inputTokens: number; outputTokens: number; cachedInputTokens?: number } | null;
  cost: number | null;
  startedAt: string;
  finishedAt: string | null;
}
