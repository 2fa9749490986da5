import { apiPath, apiSend } from "@/app/_api/api";
import { isPassing } from "@/app/_api/api-error";
import { pause } from "@/app/_ui/pause";
import type { RunWire, StartRunRequest } from "@/lib/chat/wire/messages";
import { backoffMs } from "./backoff";

const ATTEMPTS = 4;

/**
 * Requests an answer to a stored message. Retries keep the same `answerId`, so that one request never gives two
 * answers.
 *
 * @throws {ApiError} when the server refuses or stays unreachable.
 */
export async function startRun(sessionId: string, request: StartRunRequest): Promise<RunWire> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const path = apiPath`/api/sessions/${sessionId}/runs`;
      return (await apiSend<{ run: RunWire }>("POST", path, { ...request })).run;
    } catch (error) {
      if (!isPassing(error) || attempt === ATTEMPTS) throw error;
      await pause(backoffMs(attempt));
    }
  }
}
