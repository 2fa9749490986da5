import { z } from "zod";
import { type AnswerStatus, idSchema } from "./request-fields";

export interface CompactionWire {
  id: string;
  summary: string;
  fromMessageId: string;
  toMessageId: string;
  createdAt: string;
  messageCount: number;
  /** As far as known. */
  rangeTokens?: number;
  summaryTokens: number;
  model?: string;
  /** Dollars. */
  cost?: number;
  focus?: string;
}

/** `GET /api/sessions/:id/compactions/preview?leaf=` */
export interface CompactionPreviewWire {
  isWriting: boolean;
  /** `null` when there is nothing to summarize. */
  range: {
    fromMessageId: string;
    toMessageId: string;
    /** Includes those already summarized. */
    messageCount: number;
    /** Their summary will be extended. */
    summarizedCount: number;
    tokens: number;
  } | null;
  keptMessageCount: number;
  keptTokens: number;
}

/**
 * A running summary, or a failed one not yet dismissed. Its text is the last text part of `GET
 * /api/sessions/:id/runs/:runId/stream`; `POST …/stop` stops it, `DELETE /api/sessions/:id/runs/:runId` dismisses it.
 */
export interface SummaryRunWire {
  id: string;
  sessionId: string;
  status: "running" | AnswerStatus;
  /** Positions count from 1. */
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

/**
 * `POST /api/sessions/:id/compactions` → 201 `{ summary: SummaryRunWire }` once a model has been asked, or 409
 * `nothing-to-compact`.
 */
export const compactRequest = z.object({
  leafId: idSchema.optional(),
  focus: z.string().trim().max(500).optional(),
  replaces: idSchema.optional(),
});

/** `PATCH /api/sessions/:id/compactions/:compactionId`; also `DELETE`, `POST …/restore`. */
export const changeCompactionRequest = z.object({
  summary: z.string().trim().min(1, "must not be empty").max(100_000),
});
