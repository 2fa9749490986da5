import type { UsageSumWire, UsageWire } from "@/lib/chat/wire/usage";
import { type PostgresUsage, postgresFailure, type UsageSumRow } from "@/lib/postgres";
import { HttpError } from "./http-error";

const unknownZone = "22023";

/** What an owner used, summed in days of the reader's zone. @throws {HttpError} 400 for a zone nobody knows. */
export async function usageView(
  { usage }: { usage: Pick<PostgresUsage, "sums"> },
  { days, timeZone, now = new Date() }: { days: number | null; timeZone: string; now?: Date },
): Promise<UsageWire> {
  const today = dayIn(timeZone, now);
  const rows = await sums(usage, { days, timeZone, now });
  const dayRows = rows.filter((row) => row.by === "day");
  const all = rows.find((row) => row.by === "all");
  const first = dayRows[0]?.name ?? null;
  return {
    from: first === null || days === null ? first : dayBefore(today, days - 1),
    to: today,
    timeZone,
    total: all ? sumOf(all) : nothing,
    days: dayRows.map((row) => ({ day: row.name ?? today, ...sumOf(row) })),
    models: rows
      .filter((row) => row.by === "model")
      .map((row) => ({ model: row.name ?? "", ...sumOf(row) })),
    sessions: rows
      .filter((row) => row.by === "session")
      .map((row) => ({
        sessionId: row.name ?? "",
        title: row.is_there ? (row.title ?? "") : null,
        ...sumOf(row),
      })),
    kinds: rows
      .filter((row) => row.by === "kind")
      .map((row) => ({ kind: row.name as UsageWire["kinds"][number]["kind"], ...sumOf(row) })),
  };
}

async function sums(
  usage: Pick<PostgresUsage, "sums">,
  options: { days: number | null; timeZone: string; now: Date },
): Promise<UsageSumRow[]> {
  try {
    return await usage.sums(options);
  } catch (cause) {
    if (postgresFailure(cause)?.code === unknownZone) throw badZone(options.timeZone, cause);
    throw cause;
  }
}

/** The date in a zone, as `2026-01-31`. */
function dayIn(timeZone: string, at: Date): string {
  try {
    return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
  } catch (cause) {
    throw badZone(timeZone, cause);
  }
}

function dayBefore(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - days);
  return at.toISOString().slice(0, 10);
}

function badZone(timeZone: string, cause: unknown): HttpError {
  const error = new HttpError(
    400,
    "invalid-query",
    `“${timeZone}” is no time zone; send one like “Europe/Vienna”.`,
    "tz",
  );
  error.cause = cause;
  return error;
}

function sumOf(row: UsageSumRow): UsageSumWire {
  return {
    calls: row.calls,
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_tokens,
    outputTokens: row.output_tokens,
    cost: row.cost,
    unpricedCalls: row.unpriced_calls,
    estimatedCalls: row.estimated_calls,
  };
}

const nothing: UsageSumWire = {
  calls: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  cost: 0,
  unpricedCalls: 0,
  estimatedCalls: 0,
};
