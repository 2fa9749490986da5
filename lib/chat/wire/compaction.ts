import { z } from "zod";
import type { ErrorWire } from "./events";
import { idSchema } from "./request-fields";

export interface CompactionWire {
  id: string;
  summary: string;
  fromMessageId: string;
  toMessageId: string;
  createdAt: string;
  /** Stored messages it stands for. */
  messageCount: number;
  tokensBefore?: number;
  tokensAfter?: number;
  model?: string;
  cost?: number;
  focus?: string;
}

/** `GET /api/sessions/:id/compactions/preview?leaf=` */
export interface CompactionPreviewWire {
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

/** What is said of a summary while it is written. `done` or `failed` is the last. */
export type CompactionEventWire =
  /** It begins, or begins anew with the next piece of a long conversation. */
  | { type: "started" }
  | { type: "text"; text: string }
  | { type: "done"; compaction: CompactionWire }
  | ({ type: "failed" } & ErrorWire);

/**
 * `POST /api/sessions/:id/compactions` → 201 `CompactionWire`, or 409 `nothing-to-compact`; asked for as
 * `text/event-stream`, the summary comes while it is written, as `CompactionEventWire`. With `replaces` the summary of
 * that id is written anew from what it stands for.
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
