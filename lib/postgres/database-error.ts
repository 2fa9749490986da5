import {
  BlockNotFoundError,
  CompactionNotFoundError,
  CompactionRangeError,
  DeletionConflictError,
  DeletionNotFoundError,
  MessageNotFoundError,
  SessionArchivedError,
  SessionExpiredError,
  SessionNotFoundError,
} from "../session";

interface PostgresFailure {
  readonly code: string;
  readonly detail?: string;
  readonly constraint_name?: string;
}

/** `null` for failures not reported by Postgres. */
export function postgresFailure(error: unknown): PostgresFailure | null {
  if (!(error instanceof Error) || error.name !== "PostgresError") return null;
  return error as Error & PostgresFailure;
}

/** A value was refused: for its form (class 22), by a constraint (class 23), or for its size (class 54). */
export function refusesValue(error: unknown): boolean {
  return /^(2[23]|54)/.test(postgresFailure(error)?.code ?? "");
}

/**
 * Maps refusals of the write functions; others pass through. `range` names the ends of a compaction, since the database
 * reports only one.
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
    case "GR008":
      return new BlockNotFoundError(subject);
    case "GR010":
      return new SessionExpiredError(subject);
    case "GR011":
      return new SessionArchivedError(subject);
    case "GR012":
      return new DeletionConflictError(subject);
    default:
      return error;
  }
}

/** The result of `write`, its failure as an error of the library. */
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
