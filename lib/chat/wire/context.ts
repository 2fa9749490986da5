import type { Feature } from "@/lib/llm/features";
import type { AttachedFile } from "./files";
import type { BlockWire } from "./memory";
import type { ModelChoice, ModelParameters } from "./request-fields";
import type { ToolOrigin } from "./tools";

export interface GaugeWire {
  /** Tokens of the next request, by source. */
  parts: {
    source: "prompt" | "messages" | "summaries" | "tools" | "skills";
    label: string;
    tokens: number;
  }[];
  usedTokens: number;
  contextWindow: number;
  isWindowAssumed: boolean;
  /** Counted tokens per estimated token. */
  tokenScale: number;
  /** `null` when all are whole. */
  shortened: { count: number; shownChars: number; totalChars: number } | null;
  /** Dollars for the input; `null` when the price is unknown. */
  nextCost: number | null;
}

/** `GET /api/sessions/:id/context?leaf=` */
export interface ContextWire {
  blocks: BlockWire[];
  prompt: string;
  /** Those that differ from the frozen prompt. */
  changes: {
    label: string;
    kind: "added" | "changed" | "removed";
    before: string;
    after: string;
  }[];
  loadedSkills: { label: string; key: string }[];
  gauge: GaugeWire;
  /** Given to the model as they are, newest first; more of them in the next message push out the last ones. */
  files: AttachedFile[];
}

/** `GET /api/sessions/:id/messages/:messageId/uses` → `{ uses: UseWire[] }` */
export interface UseWire {
  label: string;
  /** `null` for a text block. */
  key: string | null;
  /** In the prompt, found by a search, or loaded whole. */
  how: "prompt" | "found" | "loaded";
}

/** `GET /api/sessions/:id/messages/:messageId/receipt` */
export interface ReceiptWire {
  model: string;
  /** The person edited the answer; this is the receipt of the one they edited. */
  isOfOriginal?: true;
  /** Absent for a model asked for by name. */
  choice?: ModelChoice;
  /** Those that were sent. Absent in receipts of the previous version. */
  parameters?: ModelParameters;
  prompt: string;
  /** In order; summaries appear as `compaction_<id>`, notes of Grove's own as `grove_…`. */
  messages: {
    id: string;
    role: string;
    preview: string;
    tokens: number;
    shortened?: { toolName: string; shownChars: number; totalChars: number }[];
    /** Files that the model got only a note about. */
    withheld?: { name: string; reason: string }[];
    /** The answer goes on with this one, which was cut off. */
    goesOn?: true;
    /** An answer in the person's words. */
    isEdited?: true;
    /** The preview is of the message as it is now; empty when it was deleted. */
    since?: "edited" | "deleted";
  }[];
  /** Empty for a prompt stored without versions. */
  blocks: { blockId?: string; label: string; version: number }[];
  skills: { label: string; key: string }[];
  /** Complete once the answer has ended. */
  used?: UseWire[];
  tools: string[];
  /** Not sent, since the model is known to refuse it. */
  without?: Feature[];
  /** Refused by the server, which was asked again without. */
  refused?: { feature: Feature; words: string }[];
  /** Of the tools beyond memory. Absent in receipts of the previous version. */
  origins?: { tool: string; title: string; kind: ToolOrigin["kind"]; name: string }[];
  tokens: { prompt: number; messages: number; tools: number };
  usage: { inputTokens: number; outputTokens: number; cachedInputTokens?: number } | null;
  cost: number | null;
  startedAt: string;
  finishedAt: string | null;
}
