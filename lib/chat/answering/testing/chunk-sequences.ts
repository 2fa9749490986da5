import type { UIMessageChunk } from "ai";
import type { Random } from "@/lib/text/testing/random";

export type LooseChunk = Record<string, unknown>;

const pieces = ["text", "reasoning", "call", "file", "source", "data", "step"] as const;
const metadata = { provider: { signature: "s" } };

/** A sequence as the SDK makes them. Each word and result occurs once in it. */
export function wellFormedChunks(random: Random): UIMessageChunk[] {
  let words = 0;
  const word = () => `w${words++}.`;
  const chunks: UIMessageChunk[] = [{ type: "start", messageId: "m" }, { type: "start-step" }];
  const count = 1 + random.below(6);
  for (let n = 0; n < count; n++) {
    const kind = random.of(pieces);
    const id = `${n}`;
    if (kind === "text" || kind === "reasoning")
      chunks.push(...writing(random, { kind, id, word }));
    else if (kind === "call") chunks.push(...call(random, { id: `c${n}`, word }));
    else if (kind === "file") chunks.push({ type: "file", url: "data:,", mediaType: "image/png" });
    else if (kind === "source")
      chunks.push({ type: "source-url", sourceId: id, url: "https://example.com" });
    else if (kind === "data") chunks.push({ type: "data-note", id, data: { word: word() } });
    else chunks.push({ type: "finish-step" }, { type: "start-step" });
  }
  chunks.push({ type: "finish-step" }, { type: "finish", messageMetadata: { status: "complete" } });
  // A stop cuts an answer off.
  return random.below(4) === 0 ? chunks.slice(0, 1 + random.below(chunks.length)) : chunks;
}

interface Piece {
  readonly id: string;
  readonly word: () => string;
}

function writing(
  random: Random,
  { kind, id, word }: Piece & { readonly kind: "text" | "reasoning" },
): UIMessageChunk[] {
  const deltas = Array.from({ length: random.below(4) }, () => {
    const signed = random.below(5) === 0 && { providerMetadata: metadata };
    return { type: `${kind}-delta` as const, id, delta: word(), ...signed };
  });
  const end = random.below(5) === 0 ? { providerMetadata: metadata } : {};
  return [{ type: `${kind}-start`, id }, ...deltas, { type: `${kind}-end`, id, ...end }];
}

function call(random: Random, { id: toolCallId, word }: Piece): UIMessageChunk[] {
  const dynamic = random.below(2) === 0 ? { dynamic: true } : {};
  const common = { toolCallId, toolName: "search", ...dynamic };
  const query = word();
  const input = { query };
  const json = JSON.stringify(input);
  const half = random.below(json.length);
  const chunks: UIMessageChunk[] = [];
  if (random.below(2) === 0) {
    chunks.push({ type: "tool-input-start", ...common });
    for (const inputTextDelta of [json.slice(0, half), json.slice(half)])
      chunks.push({ type: "tool-input-delta", toolCallId, inputTextDelta });
  }
  if (random.below(8) === 0)
    return [...chunks, { type: "tool-input-error", ...common, input, errorText: word() }];
  chunks.push({ type: "tool-input-available", ...common, input });
  if (random.below(4) === 0) {
    const approvalId = `a-${toolCallId}`;
    chunks.push({ type: "tool-approval-request", approvalId, toolCallId });
    if (random.below(3) === 0) return chunks;
    const approved = random.below(2) === 0;
    chunks.push({ type: "tool-approval-response", approvalId, approved });
    if (!approved) return [...chunks, { type: "tool-output-denied", toolCallId }];
  }
  if (random.below(4) === 0) {
    const output = "half of it";
    chunks.push({ type: "tool-output-available", toolCallId, output, preliminary: true });
  }
  if (random.below(5) === 0)
    return [...chunks, { type: "tool-output-error", toolCallId, errorText: word() }];
  return [...chunks, { type: "tool-output-available", toolCallId, output: { found: word() } }];
}

const ids = ["0", "1", "c0", "c1", "c2", "__proto__", "constructor", "", "0 "] as const;
const oddValues: readonly [unknown, ...unknown[]] = [
  undefined,
  ...[null, 7, -1, 1.5, true, "", "\u0000", "\ud83d", [], {}, "__proto__", 10n],
  ...[JSON.parse('{"__proto__":{"polluted":true}}'), nested(200), nested(20_000)],
];

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let n = 0; n < depth; n++) value = [value];
  return value;
}

/** Drops, repeats, moves and changes chunks, or puts in others that nothing else knows. */
export function mutatedChunks(chunks: readonly UIMessageChunk[], random: Random): unknown[] {
  const mutated: unknown[] = [...chunks];
  const count = 1 + random.below(5);
  for (let n = 0; n < count; n++) mutate(mutated, random);
  return mutated;
}

function mutate(chunks: unknown[], random: Random): void {
  const at = random.below(chunks.length + 1);
  const from = random.below(chunks.length + 1);
  const chunk = chunks[at];
  switch (random.below(7)) {
    case 0:
      chunks.splice(at, 1 + random.below(2));
      break;
    case 1:
      chunks.splice(at, 0, chunks[from]);
      break;
    case 2:
      chunks.splice(at, 0, ...chunks.splice(from, 1));
      break;
    case 3:
      chunks.splice(at, 0, random.of(strays)(random.of(ids)));
      break;
    case 4:
      if (isObject(chunk)) chunks[at] = withOddField(chunk, random);
      break;
    case 5:
      if (isObject(chunk)) chunks[at] = withId(chunk, random.of(ids));
      break;
    default:
      chunks.splice(at, 0, random.of(oddValues));
  }
}

function isObject(value: unknown): value is LooseChunk {
  return typeof value === "object" && value !== null;
}

function withOddField(chunk: LooseChunk, random: Random): LooseChunk {
  const names = Object.keys(chunk);
  const name = names[random.below(names.length)] ?? "type";
  return { ...chunk, [name]: random.of(oddValues) };
}

function withId(chunk: LooseChunk, id: string): LooseChunk {
  return { ...chunk, ["toolCallId" in chunk ? "toolCallId" : "id"]: id };
}

type Stray = (id: string) => LooseChunk;

const strays: readonly [Stray, ...Stray[]] = [
  (id) => ({ type: "text-delta", id, delta: "stray text." }),
  (id) => ({ type: "reasoning-delta", id, delta: "stray thought." }),
  (id) => ({ type: "text-end", id }),
  (id) => ({ type: "reasoning-end", id }),
  (id) => ({ type: "tool-input-delta", toolCallId: id, inputTextDelta: '{"stray":' }),
  (toolCallId) => ({ type: "tool-input-start", toolCallId, toolName: "search" }),
  (toolCallId) => ({ type: "tool-input-available", toolCallId, toolName: "stray", input: {} }),
  (toolCallId) => ({ type: "tool-output-available", toolCallId, output: "stray result." }),
  (toolCallId) => ({ type: "tool-output-error", toolCallId, errorText: "stray error." }),
  (toolCallId) => ({ type: "tool-output-denied", toolCallId }),
  (toolCallId) => ({ type: "tool-approval-request", approvalId: "stray", toolCallId }),
  (approvalId) => ({ type: "tool-approval-response", approvalId, approved: true }),
  () => ({ type: "reset-step" }),
  (type) => ({ type }),
];
