import { refusesValue } from "../database-error";

export class ImportError extends Error {
  override readonly name = "ImportError";
  constructor(
    message: string,
    readonly field?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Blames the line for values the database refuses, not for a missing database. */
export function readable(error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  if (refusesValue(error)) {
    return new ImportError("It holds something that cannot be stored.", undefined, {
      cause: error,
    });
  }
  throw error;
}
