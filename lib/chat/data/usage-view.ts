import { ChatError } from "@/lib/chat/core/chat-error";
import type { UsageSum, UsageSums } from "@/lib/chat/core/usage-log";
import type { UsageSumWire, UsageWire } from "@/lib/chat/wire/usage";

export async function usageView(
  { usage, names = new Map() }: { usage: UsageSums; names?: ReadonlyMap<string, string> },
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
        title: row.isThere ? (row.title ?? "") : null,
        ...sumOf(row),
      })),
    projects: rows
      .filter((row) => row.by === "project")
      .map((row) => ({
        projectId: row.name ?? "",
        name: names.get(row.name ?? "") ?? null,
        ...sumOf(row),
      })),
    kinds: rows
      .filter((row) => row.by === "kind")
      .map((row) => ({ kind: row.name as UsageWire["kinds"][number]["kind"], ...sumOf(row) })),
  };
}

async function sums(
  usage: UsageSums,
  options: { days: number | null; timeZone: string; now: Date },
): Promise<UsageSum[]> {
  try {
    return await usage.sums(options);
  } catch (cause) {
    throw cause instanceof RangeError ? unknownZone(options.timeZone, cause) : cause;
  }
}

function dayIn(timeZone: string, at: Date): string {
  try {
    return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
  } catch (cause) {
    throw unknownZone(timeZone, cause);
  }
}

function dayBefore(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - days);
  return at.toISOString().slice(0, 10);
}

function unknownZone(timeZone: string, cause: unknown): ChatError {
  const message = `“${timeZone}” is not a time zone. Use a name such as “Europe/Vienna”.`;
  return new ChatError("invalid-query", message, { field: "tz", cause });
}

function sumOf({ by, name, title, isThere, ...sum }: UsageSum): UsageSumWire {
  return sum;
}

const nothing: UsageSumWire = {
  calls: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  cost: 0,
  unpricedCalls: 0,
  estimatedCalls: 0,
};
