interface Failure {
  /** The failed step, as in "A listener". */
  readonly what: string;
  /** Equal failures of one source are written once. */
  readonly source: object;
  readonly handler?: ((error: unknown) => unknown) | undefined;
}

const written = new WeakMap<object, Set<string>>();

/** Warns on the console, once per message, unless a handler succeeds. */
export async function reportFailure(
  error: unknown,
  { what, source, handler }: Failure,
): Promise<void> {
  if (!handler) return warnOnce(source, `${what} failed`, error);
  try {
    await handler(error);
  } catch (handlerError) {
    warnOnce(source, `${what} failed`, error);
    warnOnce(source, "The handler of this failure failed", handlerError);
  }
}

function warnOnce(source: object, words: string, error: unknown): void {
  const warning = `${words}: ${error instanceof Error ? error.message : String(error)}`;
  const earlier = written.get(source) ?? new Set();
  written.set(source, earlier);
  if (earlier.has(warning)) return;
  earlier.add(warning);
  // biome-ignore lint/suspicious/noConsole: the last resort of a library without a logger
  console.warn(warning, error);
}
