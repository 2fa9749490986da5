import type { SummaryRunWire } from "./compaction";
import type { AnswerStatus, RunWire } from "./messages";

/** `field` names the invalid part of a body. */
export interface ErrorWire {
  error: { code: string; message: string; field?: string };
}

export type EventWire = {
  origin?: string;
} & (
  | { type: "session-changed"; sessionId: string }
  | { type: "session-removed"; sessionId: string }
  | { type: "session-read"; sessionId: string }
  | { type: "run-started"; sessionId: string; run: RunWire }
  | {
      type: "run-finished";
      sessionId: string;
      runId: string;
      messageId: string;
      status: AnswerStatus;
    }
  | { type: "summary-started"; sessionId: string; summary: SummaryRunWire }
  | { type: "summary-finished"; sessionId: string; summary: SummaryRunWire }
  | {
      type: "memory-changed";
      blockId: string;
      key?: string;
      sessionId: string | null;
      byProgram?: true;
    }
  | { type: "proposals-changed"; sessionId: string | null }
  | { type: "settings-changed" }
  | { type: "data-changed" }
  /** Events may have been lost: refetch everything. */
  | { type: "missed" }
);
