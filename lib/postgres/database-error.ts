import {
  CompactionNotFoundError,
  CompactionRangeError,
  DeletionNotFoundError,
  MessageNotFoundError,
  SessionNotFoundError,
} from "@/lib/session";

/** The fields of a Postgres error response that decisions are made on. */
interface PostgresFailure {
  readonly code: string;
  readonly detail?: string;
  readonly constraint_name?: string;
}

/** The SQLSTATE and context of a failure that Postgres reported; `null` for everything else, such as a lost connection. */
export function postgresFailure(error: unknown): PostgresFailure | null {
  if (!(error instanceof Error) || error.name !== "PostgresError") return null;
  return error as Error & PostgresFailure;
}

/**
 * What the write functions refuse, as the error of the port; anything else as it came.
 *
 * `range` names the ends of a compaction, which the database reports by one of them.
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

/** Awaits a write and throws what it refused as the error of the port. */
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
