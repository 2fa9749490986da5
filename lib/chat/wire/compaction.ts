import type { Compaction } from "grove-session";
import type { CompactionMetadata } from "grove-session/ports";
import { z } from "zod";
import { type AnswerStatus, idSchema } from "./request-fields";
import type { Wire } from "./wire";

export interface CompactionWire
  extends Wire<
    Omit<Compaction, "metadata"> & Pick<CompactionMetadata, "model" | "cost" | "focus">
  > {
  messageCount: number;
  rangeTokens?: number;
  summaryTokens: number;
}

export interface CompactionPreviewWire {
  isWriting: boolean;
  range: {
    fromMessageId: string;
    toMessageId: string;
    messageCount: number;
    summarizedCount: number;
    tokens: number;
  } | null;
  keptMessageCount: number;
  keptTokens: number;
}

export interface SummaryRunWire {
  id: string;
  sessionId: string;
  status: "running" | AnswerStatus;
  fromMessageId: string;
  toMessageId: string;
  firstPosition: number;
  lastPosition: number;
  leafId: string;
  focus: string | null;
  replaces: string | null;
  isManual: boolean;
  model: string;
  problem: string | null;
  startedAt: string;
}

export const compactRequest = z.object({
  leafId: idSchema.optional(),
  focus: z.string().trim().max(500).optional(),
  replaces: idSchema.optional(),
});

export const changeCompactionRequest = z.object({
  summary: z.string().trim().min(1, "must not be empty").max(100_000),
});
