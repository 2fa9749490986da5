import type { GaugeWire } from "@/lib/chat/wire/context";
import type { ModelWire } from "@/lib/chat/wire/settings";
import { estimateMessageTokens } from "@/lib/session/tokens/estimate-tokens";

export interface OverWindow {
  readonly totalTokens: number;
  readonly contextWindow: number;
  readonly isWindowAssumed: boolean;
  /** Enough of it is history that summarizing that can help. */
  readonly canCompact: boolean;
  /** The models with room for it, the smallest window first. */
  readonly largerModels: readonly ModelWire[];
}

export interface OverWindowOptions {
  readonly draft: string;
  /** Estimated, of the files of the draft. */
  readonly fileTokens?: number;
  readonly gauge: Pick<
    GaugeWire,
    "parts" | "usedTokens" | "contextWindow" | "isWindowAssumed" | "tokenScale"
  >;
  readonly models: readonly ModelWire[];
}

/** Of common models, about the smallest. */
const smallWindow = 8_000;

/** Of a request of which only the draft is known, and perhaps its model. */
export function gaugeOfNewChat(model: ModelWire | undefined): OverWindowOptions["gauge"] {
  const { contextWindow = smallWindow, isWindowAssumed = true } = model ?? {};
  return { parts: [], usedTokens: 0, contextWindow, isWindowAssumed, tokenScale: 1 };
}

const mostTokensPerChar = 2;

/** `null` when the request fits, or when there is nothing to send. */
export function overWindow(options: OverWindowOptions): OverWindow | null {
  const { draft, gauge, models, fileTokens = 0 } = options;
  const { usedTokens, contextWindow, tokenScale, isWindowAssumed } = gauge;
  if (draft.trim() === "" && fileTokens === 0) return null;
  const room = contextWindow - usedTokens;
  if ((draft.length * mostTokensPerChar + fileTokens) * tokenScale + 10 < room) return null;
  const draftTokens = Math.round((tokensOf(draft) + fileTokens) * tokenScale);
  if (draftTokens <= room) return null;
  const totalTokens = usedTokens + draftTokens;
  const history = gauge.parts
    .filter(({ source }) => source === "messages" || source === "summaries")
    .reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    totalTokens,
    contextWindow,
    isWindowAssumed,
    canCompact: history > 0 && totalTokens - history <= contextWindow,
    largerModels: models
      .filter((model) => model.contextWindow >= totalTokens)
      .toSorted((one, other) => one.contextWindow - other.contextWindow),
  };
}

function tokensOf(draft: string): number {
  return estimateMessageTokens([
    { id: "draft", role: "user", parts: [{ type: "text", text: draft }] },
  ]);
}

/** A message as it was when Enter was pressed, held back while the size of its request is read again. */
export interface HeldMessage {
  readonly text: string;
  /** `undefined` while unknown. */
  readonly leafId: string | null | undefined;
  /** `null` while unknown. */
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
