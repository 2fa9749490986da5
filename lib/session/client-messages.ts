import type { SessionMessage } from "./message";

const alwaysReserved = [
  ...["usage", "totalUsage", "inputTokens", "outputTokens", "totalTokens", "input", "cost"],
  ...["model", "provider", "status", "finishReason", "error", "runId"],
  ...["summary", "compaction", "note", "writes", "proposals", "together", "kept"],
];

/** Keeps the stored message's reserved metadata, which a client can neither set nor change. */
export function fromClient<Message extends SessionMessage>(
  { metadata, ...message }: Message,
  {
    reserved = [],
    stored,
  }: {
    readonly reserved?: readonly string[] | undefined;
    readonly stored?: SessionMessage | null | undefined;
  },
): Omit<Message, "metadata"> & Pick<SessionMessage, "metadata"> {
  const keys = new Set([...alwaysReserved, ...reserved]);
  const kept = entriesOf(stored?.metadata).filter(([key]) => keys.has(key));
  const free = entriesOf(metadata).filter(([key]) => !keys.has(key));
  if (!isRecord(metadata) && kept.length === 0) return withMetadata(message, metadata);
  const entries = [...free, ...kept];
  return withMetadata(message, entries.length === 0 ? undefined : Object.fromEntries(entries));
}

function withMetadata<Body extends object>(body: Body, metadata: unknown) {
  return { ...body, ...(metadata !== undefined && { metadata }) };
}

function entriesOf(metadata: unknown): [string, unknown][] {
  return isRecord(metadata) ? Object.entries(metadata) : [];
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
