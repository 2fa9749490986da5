import { z } from "zod";
import { compactSession } from "@/lib/chat/compaction/compact-session";
import type { CompactionRequest } from "@/lib/chat/compaction/write-summary";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { CallUsage } from "@/lib/chat/runs/usage";
import { oldestFirst, type Path } from "./item-page";
import type { InputItem } from "./items";
import { assertMay, isKeptBy, scopesOf } from "./keys";
import { itemsOf } from "./message-items";
import { assertNeedsNoStore, noMessage, type Place, placeOf, storeInput } from "./place";
import type { Program } from "./program";
import { readInput } from "./read-input";
import { usageWire } from "./response-object";
import type { JsonRecord } from "./response-writer";
import { sealed } from "./sealed-compaction";

export const compactRequest = z.object({
  model: z.string().min(1).max(200).optional(),
  input: z.unknown().optional(),
  previous_response_id: z.string().nullish(),
  instructions: z.string().nullish(),
  store: z.boolean().nullish(),
});

/**
 * A stored chat gives a place to continue from, an unstored one its summary and the items after it. A path too short
 * has no summary.
 */
export async function compactResponse(
  program: Program,
  request: z.output<typeof compactRequest>,
  signal: AbortSignal,
): Promise<JsonRecord> {
  const { key, owner, temporary } = program;
  assertMay(key, { writes: true });
  const { previous_response_id: previousId, input } = request;
  const isKept = isKeptBy(program.key, request.store);
  if (!isKept) assertNeedsNoStore(request);
  const items = await readInput(owner, input ?? []);
  if (items.length === 0 && !previousId) throw noMessage();
  const [resolved] = await Promise.all([
    program.chooseModel(request.model ?? null),
    program.runner.assertMayAsk(owner),
  ]);
  const model = resolved.info.ref;
  assertMay(key, { writes: true, model });
  const runId = program.making.id;
  const asked = {
    request: { previous_response_id: previousId, store: isKept },
    items,
    runId,
    model,
  };
  const place = await placeOf(program, asked);
  try {
    const { leafId, inputIds } = await storeInput(place, runId, { activate: "follow" });
    const path = { tree: place.owner.store.messages(place.info.id), leafId };
    const usage = await summarize(program, { place, leafId, resolved, signal, request });
    const said: JsonRecord[] = [];
    for await (const entries of oldestFirst(path))
      for (const { message } of entries)
        if (message.role === "user") said.push(...itemsOf(message));
    const content = sealed(
      isKept
        ? { sessionId: place.info.id, leafId }
        : { items: await compactedItems(path, { items, ids: inputIds }) },
    );
    return {
      id: `resp_${runId}`,
      object: "response.compaction",
      created_at: Math.floor(Date.now() / 1_000),
      output: [...said, { id: `cmp_${runId}`, type: "compaction", encrypted_content: content }],
      usage,
    };
  } finally {
    if (!isKept) await temporary.store.sessions.delete(place.info.id, { permanently: true });
  }
}

interface Summarized extends Pick<CompactionRequest, "leafId" | "resolved" | "signal"> {
  readonly place: Place;
  readonly request: Pick<z.output<typeof compactRequest>, "instructions">;
}

async function summarize(
  { key, runner }: Program,
  { place: { owner, info }, request: { instructions }, ...summarized }: Summarized,
): Promise<JsonRecord> {
  const used: CallUsage[] = [];
  const summary = {
    ...summarized,
    sessionId: info.id,
    keyId: key.id,
    keyDollars: scopesOf(key).monthlyLimit,
    onUsed: (call: CallUsage) => void used.push(call),
    ...(instructions && { focus: instructions }),
  };
  await compactSession({ owner, runner }, summary).catch(unlessShort);
  const sum = (field: "inputTokens" | "outputTokens" | "cachedTokens") =>
    used.reduce((total, call) => total + call[field], 0);
  return usageWire({
    inputTokens: sum("inputTokens"),
    cachedTokens: sum("cachedTokens"),
    outputTokens: sum("outputTokens"),
  });
}

async function compactedItems(
  { tree, leafId }: Path,
  { items, ids }: { items: readonly InputItem[]; ids: readonly string[] },
): Promise<unknown[]> {
  const { entries } = await tree.getWindow({ leafId, limit: ids.length });
  const shown = new Set(entries.map(({ message }) => message.id));
  const summaries = new Map(
    entries.map(({ compaction }) => [compaction?.fromMessageId, compaction?.summary]),
  );
  const answered = new Set(
    items.flatMap((item, index) =>
      "call_id" in item && shown.has(`${ids[index]}`) ? [item.call_id] : [],
    ),
  );
  const isCarried = (item: InputItem) =>
    "role" in item
      ? item.role === "system" || item.role === "developer"
      : item.type === "function_call" && answered.has(item.call_id);
  return items.flatMap((item, index) => {
    const id = `${ids[index]}`;
    const summary = summaries.get(id);
    const said = summary === undefined ? [] : [{ role: "user", content: summary }];
    return shown.has(id) || isCarried(item) ? [...said, item] : said;
  });
}

function unlessShort(error: unknown): void {
  if (!(error instanceof ChatError) || error.code !== "nothing-to-compact") throw error;
}
