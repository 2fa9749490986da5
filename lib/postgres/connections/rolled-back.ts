// Deadlocks, and transactions that cannot be ordered.
const codes = new Set(["40P01", "40001"]);

export const mostAttempts = 5;

/** Another transaction came first: the same again may succeed. */
export function wasRolledBack(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== "PostgresError") return false;
  return "code" in error && typeof error.code === "string" && codes.has(error.code);
}

/** Runs `attempt` again, a few times, where the server rolled it back in favour of another. */
export async function repeatedly<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (n >= mostAttempts || !wasRolledBack(error)) throw error;
    }
  }
}
