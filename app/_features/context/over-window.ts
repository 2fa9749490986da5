import { estimateMessageTokens } from "grove-session/browser";
import type { GaugeWire } from "@/lib/chat/wire/context";
import type { ModelWire } from "@/lib/chat/wire/settings";

export interface OverWindow {
  readonly totalTokens: number;
  readonly contextWindow: number;
  readonly isWindowAssumed: boolean;
  readonly canCompact: boolean;
  /** Is 0 where tools are not the reason. */
  readonly toolTokens: number;
  readonly largerModels: readonly ModelWire[];
}

export interface OverWindowOptions {
  readonly draft: string;
  readonly fileTokens?: number;
  readonly gauge: Pick<
    GaugeWire,
    "parts" | "usedTokens" | "contextWindow" | "isWindowAssumed" | "tokenScale"
  >;
  readonly models: readonly ModelWire[];
}

/** About the smallest window of common models. */
const smallWindow = 8_000;

export function gaugeOfNewChat(model: ModelWire | undefined): OverWindowOptions["gauge"] {
  const { contextWindow = smallWindow, isWindowAssumed = true } = model ?? {};
  return { parts: [], usedTokens: 0, contextWindow, isWindowAssumed, tokenScale: 1 };
}

const mostTokensPerChar = 2;

export function overWindow(options: OverWindowOptions): OverWindow | null {
  const { draft, gauge, models, fileTokens = 0 } = options;
  const { usedTokens, contextWindow, tokenScale, isWindowAssumed } = gauge;
  if (draft.trim() === "" && fileTokens === 0) return null;
  const room = contextWindow - usedTokens;
  if ((draft.length * mostTokensPerChar + fileTokens) * tokenScale + 10 < room) return null;
  const draftTokens = Math.round((tokensOf(draft) + fileTokens) * tokenScale);
  if (draftTokens <= room) return null;
  const totalTokens = usedTokens + draftTokens;
  const history = partTokens(gauge, ["messages", "summaries"]);
  const tools = partTokens(gauge, ["tools"]);
  return {
    totalTokens,
    contextWindow,
    isWindowAssumed,
    canCompact: history > 0 && totalTokens - history <= contextWindow,
    toolTokens: totalTokens - tools <= contextWindow ? tools : 0,
    largerModels: models
      .filter((model) => model.contextWindow >= totalTokens)
      .toSorted((one, other) => one.contextWindow - other.contextWindow),
  };
}

function partTokens(
  { parts }: Pick<GaugeWire, "parts">,
  sources: readonly GaugeWire["parts"][number]["source"][],
): number {
  return parts
    .filter(({ source }) => sources.includes(source))
    .reduce((sum, { tokens }) => sum + tokens, 0);
}

function tokensOf(draft: string): number {
  return estimateMessageTokens([
    { id: "draft", role: "user", parts: [{ type: "text", text: draft }] },
  ]);
}

export interface HeldMessage {
  readonly text: string;
  readonly leafId: string | null | undefined;
  readonly model: string | null;
}

export interface HeldMessageOptions {
  readonly present: HeldMessage;
  readonly isOver: boolean;
  readonly isRereading: boolean;
}

/** Drops the hold when text, branch or model has changed since; the text stays a draft. */
export function decideHeld(
  held: HeldMessage,
  { present, isOver, isRereading }: HeldMessageOptions,
): "wait" | "drop" | "ask" | "send" {
  const isSameModel = held.model === null || held.model === present.model;
  const isUnchanged = held.text === present.text && held.leafId === present.leafId && isSameModel;
  if (!isUnchanged) return "drop";
  if (!isOver) return "send";
  return isRereading ? "wait" : "ask";
}
