import { ApiError } from "@/app/_api/api-error";
import { backoffMs } from "@/app/_features/chat/backoff";
import { readPage } from "@/app/_features/chat/transcript-pages";
import type { RunWire, TranscriptWire } from "@/lib/chat/wire/messages";
import { pause } from "./pause";

const ATTEMPTS = 6;

/**
 * Reads the path to the stored answer of a finished run. Its last chunk can arrive before its row is committed, so a
 * missing answer is retried a few times; `null` when it stays missing.
 */
export async function settledPage(run: RunWire): Promise<TranscriptWire | null> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await readPage(run.sessionId, { under: run.messageId });
    } catch (error) {
      const mayCome = error instanceof ApiError && (error.status === 404 || error.status === 0);
      if (!mayCome) return null;
    }
    await pause(backoffMs(attempt));
  }
  return null;
}
