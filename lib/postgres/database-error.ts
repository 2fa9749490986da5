import {
  CompactionNotFoundError,
  CompactionRangeError,
  DeletionNotFoundError,
  MessageNotFoundError,
  SessionNotFoundError,
} from "@/lib/session";

interface PostgresFailure {
  readonly code: string;
  readonly detail?: string;
  readonly constraint_name?: string;
}

/** SQLSTATE and context of a failure reported by Postgres; `null` for others, such as a lost connection. */
export function postgresFailure(error: unknown): PostgresFailure | null {
  if (!(error instanceof Error) || error.name !== "PostgresError") return null;
  return error as Error & PostgresFailure;
}

/**
 * Maps refusals of the write functions to the port's errors; others pass through. `range` names the ends of a
 * compaction, which the database reports by one of them.
 */
export function translateFailure(error: unknown, range?: readonly [string, string]): unknown {
  const failure = postgresFailure(error);
  const subject = failure?.detail ?? "";
  switch (failure?.code) {
    case "GR001":
      return new MessageNotFoundError(subject);
    case "GR003":
      return new SessionNotFoundError(subject);
    case "GR004":
      return new DeletionNotFoundError(subject);
    case "GR005":
      return new CompactionRangeError(...(range ?? [subject, subject]));
    case "GR006":
      return new CompactionNotFoundError(subject);
    default:
      return error;
  }
}

/** Awaits a write and maps its refusal. */
export async function translated<T>(
  write: PromiseLike<T>,
  range?: readonly [string, string],
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw translateFailure(error, range);
  }
}
