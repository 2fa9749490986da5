import { z } from "zod";
import { type AnswerStatus, idSchema } from "./request-fields";

export interface CompactionWire {
  id: string;
  summary: string;
  fromMessageId: string;
  toMessageId: string;
  createdAt: string;
  /** Stored messages it stands for. */
  messageCount: number;
  /** Of what it stands for, as far as known, and of its own text. */
  rangeTokens?: number;
  summaryTokens: number;
  model?: string;
  /** Dollars. */
  cost?: number;
  focus?: string;
}

/** `GET /api/sessions/:id/compactions/preview?leaf=` */
export interface CompactionPreviewWire {
  /** A summary of this session is being written. */
  isWriting: boolean;
  /** `null` when there is nothing to fold. */
  range: {
    fromMessageId: string;
    toMessageId: string;
    /** Messages as the person counts them: those under an earlier summary are among them. */
    messageCount: number;
    /** Of these, so many stand under an earlier summary, which is taken up. */
    summarizedCount: number;
    tokens: number;
  } | null;
  keptMessageCount: number;
  keptTokens: number;
}

/**
 * A summary that is being written, or one that came to nothing and has not been put aside. Its text is the last text
 * part of the run's stream, `GET /api/sessions/:id/runs/:runId/stream`; stopping is `POST …/stop`, putting it aside is
 * `DELETE /api/sessions/:id/runs/:runId`.
 */
export interface SummaryRunWire {
  id: string;
  sessionId: string;
  status: "running" | AnswerStatus;
  /** The messages it will stand for, and where they are on their path, counted from 1. */
  fromMessageId: string;
  toMessageId: string;
  firstPosition: number;
  lastPosition: number;
  /** The path that is folded ends here. */
  leafId: string;
  focus: string | null;
  /** The summary it takes the place of. */
  replaces: string | null;
  /** A person asked for it; otherwise the window was about to overflow. */
  byHand: boolean;
  model: string;
  /** Why it failed. */
  problem: string | null;
  startedAt: string;
}

/**
 * `POST /api/sessions/:id/compactions` → 201 `{ summary: SummaryRunWire }` once a model has been asked for it, or 409
 * `nothing-to-compact`. With `replaces` the summary of that id is written anew from what it stands for.
 */
export const compactRequest = z.object({
  leafId: idSchema.optional(),
  focus: z.string().trim().max(500).optional(),
  replaces: idSchema.optional(),
});

/** `PATCH /api/sessions/:id/compactions/:compactionId`; `DELETE` removes it, `POST …/restore` puts it back. */
export const changeCompactionRequest = z.object({
  summary: z.string().trim().min(1, "must not be empty").max(100_000),
});
