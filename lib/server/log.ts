import { redactSecrets } from "@/lib/llm";

/** Logs a background failure in one line, without bodies, keys or addresses. */
export function logFailure(what: string, error: unknown): void {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  process.stderr.write(`${new Date().toISOString()} ${what}: ${withoutSecrets(reason)}\n`);
}

function withoutSecrets(text: string): string {
  return redactSecrets(text).replace(/:\/\/[^@\s/]*@/g, "://…@");
}
