import { z } from "zod";
import type { CallUsage } from "@/lib/chat/answering/usage";
import { ChatError } from "@/lib/chat/chat-error";
import { compactSession } from "@/lib/chat/compaction/compact-session";
import { oldestFirst } from "./item-page";
import { readItems } from "./items";
import { assertMay } from "./keys";
import { itemsOf } from "./message-items";
import { noMessage, placeOf, sealed, storeInput } from "./place";
import type { Program } from "./program";
import { usageWire } from "./response-object";
import type { JsonRecord } from "./response-writer";

/** `POST /v1/responses/compact`. */
export const compactRequest = z.object({
  model: z.string().min(1).max(200).optional(),
  input: z.unknown().optional(),
  previous_response_id: z.string().nullish(),
  instructions: z.string().nullish(),
});

/**
 * Summarizes a path of a chat. Returns the messages of its user, and a compaction from which a response continues. The
 * chat keeps every word. Of a path too short to summarize, the compaction is only a place.
 *
 * @throws {ProgramError} @throws {ChatError} when the model fails.
 */
export async function compactResponse(
  program: Program,
  request: z.output<typeof compactRequest>,
  signal: AbortSignal,
): Promise<JsonRecord> {
  const { key, owner, runner } = program;
  assertMay(key, { writes: true });
  const { previous_response_id: previousId, input, instructions } = request;
  const items = readItems(input ?? []);
  if (items.length === 0 && !previousId) throw noMessage();
  const resolved = await program.chooseModel(request.model ?? null);
  const model = resolved.info.ref;
  assertMay(key, { writes: true, model });
  const runId = crypto.randomUUID();
  const asked = { request: { previous_response_id: previousId }, items, runId, model };
  const place = await placeOf(program, asked);
  const { leafId } = await storeInput(place, runId, { activate: "follow" });
  const { id: sessionId } = place.info;
  const used: CallUsage[] = [];
  const summary = {
    sessionId,
    leafId,
    resolved,
    signal,
    keyId: key.id,
    onUsed: (call: CallUsage) => void used.push(call),
    ...(instructions && { focus: instructions }),
  };
  await compactSession({ owner, runner }, summary).catch(unlessShort);
  const said: JsonRecord[] = [];
  for await (const messages of oldestFirst({ tree: owner.store.messages(sessionId), leafId }))
    said.push(...messages.filter(({ role }) => role === "user").flatMap(itemsOf));
  const content = sealed({ sessionId, leafId });
  const sum = (field: "inputTokens" | "outputTokens" | "cachedTokens") =>
    used.reduce((total, call) => total + call[field], 0);
  return {
    id: `resp_${runId}`,
    object: "response.compaction",
    created_at: Math.floor(Date.now() / 1_000),
    output: [...said, { id: `cmp_${runId}`, type: "compaction", encrypted_content: content }],
    usage: usageWire({
      inputTokens: sum("inputTokens"),
      cachedTokens: sum("cachedTokens"),
      outputTokens: sum("outputTokens"),
    }),
  };
}

function unlessShort(error: unknown): void {
  if (!(error instanceof ChatError) || error.code !== "nothing-to-compact") throw error;
}
