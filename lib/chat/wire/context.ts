import type { Feature } from "@/lib/llm/features";
import type { AssistantRef } from "./assistants";
import type { AttachedFile } from "./files";
import type { NamedPage } from "./knowledge";
import type { BlockWire } from "./memory";
import type { ModelChoice, ModelParameters } from "./request-fields";
import type { ToolOrigin } from "./tools";

export interface GaugeWire {
  parts: {
    source: "prompt" | "messages" | "summaries" | "tools" | "skills";
    label: string;
    tokens: number;
    from?: "project" | "you";
  }[];
  usedTokens: number;
  contextWindow: number;
  isWindowAssumed: boolean;
  /** Counted tokens per estimated token. */
  tokenScale: number;
  shortened: { count: number; shownChars: number; totalChars: number } | null;
  /** Dollars for the input; `null` when the price is unknown. */
  nextCost: number | null;
}

export interface AssistantUseWire extends AssistantRef {
  text: string;
  /** `null` once deleted. */
  newest: { version: number; text: string } | null;
  missing: string[];
}

export interface ContextWire {
  blocks: BlockWire[];
  prompt: string;
  changes: {
    label: string;
    kind: "added" | "changed" | "removed";
    before: string;
    after: string;
  }[];
  /** `null` while the person's memory is not used. */
  personal?: Pick<ContextWire, "prompt" | "changes"> | null;
  loadedSkills: { label: string; key: string }[];
  /** Absent without files among the knowledge of the place. */
  knowledge?: "whole" | "searched" | "left-out";
  assistant: AssistantUseWire | null;
  /** In a chat of a program: its last answer, whose receipt says what the program sent. */
  programAnswerId?: string;
  gauge: GaugeWire;
  /** Newest first; more files in the next message push out the last ones. */
  files: AttachedFile[];
}

export interface UseWire {
  label: string;
  key: string | null;
  how: "prompt" | "found" | "loaded";
}

export interface ReceiptWire {
  model: string;
  isOfOriginal?: true;
  choice?: ModelChoice;
  /** Absent in receipts of the previous version. */
  parameters?: ModelParameters;
  prompt: string;
  personal?: string;
  /** Summaries appear as `compaction_<id>`, notes of Grove's own as `grove_…`. */
  messages: {
    id: string;
    role: string;
    preview: string;
    tokens: number;
    shortened?: { toolName: string; shownChars: number; totalChars: number }[];
    withheld?: { name: string; reason: string }[];
    goesOn?: true;
    isEdited?: true;
    /** The preview is of the present message; empty when deleted. */
    since?: "edited" | "deleted";
  }[];
  blocks: { blockId?: string; label: string; version: number }[];
  skills: { label: string; key: string }[];
  assistant?: AssistantRef;
  missing?: string[];
  used?: UseWire[];
  pages?: { found: NamedPage[]; read: NamedPage[] };
  tools: string[];
  without?: Feature[];
  refused?: { feature: Feature; words: string }[];
  /** Absent in receipts of the previous version. */
  origins?: { tool: string; title: string; kind: ToolOrigin["kind"]; name: string }[];
  tokens: { prompt: number; messages: number; tools: number };
  usage: { inputTokens: number; outputTokens: number; cachedInputTokens?: number } | null;
  cost: number | null;
  startedAt: string;
  finishedAt: string | null;
}
