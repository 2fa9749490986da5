import { APICallError, RetryError, StreamProviderError } from "ai";

/** What an error, and everything that caused it, says about what happened. */
export type ModelErrorEvidence = {
  /** From the outermost error to its first cause. */
  readonly chain: readonly unknown[];
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Names, codes, messages and bodies in lower case: for recognising, never for showing. */
  readonly text: string;
  /** The provider's own sentence, not yet fit for showing. */
  readonly message: string;
};

// Longer chains are loops or wrappers that add nothing.
const maxDepth = 8;

/** Collects what `error` says, through retries and causes; accepts anything that can be thrown. */
export function modelErrorEvidence(error: unknown): ModelErrorEvidence {
  const chain = causesOf(error);
  const call = chain.find((link) => APICallError.isInstance(link));
  const inStream = chain.find((link) => StreamProviderError.isInstance(link));
  return {
    chain,
    status: call?.statusCode ?? inStream?.statusCode ?? null,
    headers: call?.responseHeaders ?? {},
    text: chain.map(wordsOf).join("\n").toLowerCase(),
    message: messageOf(call ?? inStream ?? chain.at(-1)),
  };
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && chain.length < maxDepth; link = causeOf(link)) {
    if (chain.includes(link)) break;
    chain.push(link);
  }
  return chain;
}

function causeOf(link: unknown): unknown {
  if (RetryError.isInstance(link)) return link.lastError;
  return link instanceof Error ? (link.cause ?? undefined) : undefined;
}

function wordsOf(link: unknown): string {
  if (APICallError.isInstance(link))
    return `${link.name} ${link.message} ${link.responseBody ?? ""}`;
  if (StreamProviderError.isInstance(link)) {
    return `${link.name} ${link.type ?? ""} ${link.code ?? ""} ${link.message}`;
  }
  if (link instanceof Error) return `${link.name} ${codeOf(link)} ${link.message}`;
  return messageOf(link);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function messageOf(link: unknown): string {
  if (link instanceof Error) return link.message;
  if (typeof link === "string") return link;
  if (typeof link !== "object" || link === null) return "";
  // Some providers put `{ message, type, code }` into the stream as it came over the wire.
  const { message, type, code } = link as Readonly<Record<string, unknown>>;
  return [message, type, code].filter((word) => typeof word === "string").join(" ");
}
