import { isOutOfCredit, type ModelErrorCode, modelErrorCode } from "./model-error-code";
import { type ModelErrorEvidence, modelErrorEvidence } from "./model-error-evidence";
import { ModelUnavailableError } from "./model-unavailable-error";
import { redactSecrets } from "./redact-secrets";
import { retryAfterMs } from "./retry-after";

/** A failure of a model, ready to be shown: what happened, what to do, and whether trying again may help. */
export type ModelErrorDescription = {
  readonly code: ModelErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  /** How long the provider asked to wait; absent when it did not say. */
  readonly retryAfterMs?: number;
};

// What a provider says is shown only so far; some answer with a page of HTML.
const shownCharacters = 300;

const sentences: Readonly<Record<ModelErrorCode, string>> = {
  "bad-key": "The provider rejected the API key. Check it in Settings → Models and keys.",
  "rate-limited": "The provider is rate limiting this key. Wait a moment and try again.",
  overloaded: "The provider is overloaded or down. Try again in a moment or choose another model.",
  timeout: "The model took too long to answer. Try again or choose another model.",
  "context-overflow":
    "This chat no longer fits in the model's context window. Compact it or choose a model with a larger one.",
  network:
    "Couldn't reach the model server. Check that it is running, its base URL in Settings → Models and keys, and your network.",
  cut: "Connection lost. Partial answer kept.",
  refused: "The provider declined to answer. Rephrase the question or choose another model.",
  "bad-request": "The provider rejected the request. Choose another model or check its settings.",
  unknown: "The model failed unexpectedly. Try again or choose another model.",
};

const retryableCodes: ReadonlySet<ModelErrorCode> = new Set([
  "rate-limited",
  "overloaded",
  "timeout",
  "network",
  "cut",
  "unknown",
]);

const outOfCredit = "This provider account has no credit left. Add credit or choose another model.";

/**
 * Says in a sentence what went wrong with a model and what the person can do.
 *
 * Understands the AI SDK's errors, whatever wraps them, errors that arrive inside a stream, aborts, timeouts
 * and network errors; never throws. The message holds no key, header or address.
 *
 * @param options.now the current time in milliseconds, for a `retry-after` that is a date.
 */
export function describeModelError(
  error: unknown,
  options: { now?: number } = {},
): ModelErrorDescription {
  const evidence = modelErrorEvidence(error);
  const code = modelErrorCode(evidence);
  if (code === "rate-limited" && isOutOfCredit(evidence)) {
    return { code, message: outOfCredit, retryable: false };
  }
  const wait =
    code === "rate-limited" || code === "overloaded"
      ? retryAfterMs(evidence.headers, options.now)
      : null;
  return {
    code,
    message: sentenceFor(code, evidence),
    retryable: retryableCodes.has(code),
    ...(wait === null ? {} : { retryAfterMs: wait }),
  };
}

function sentenceFor(code: ModelErrorCode, evidence: ModelErrorEvidence): string {
  const unavailable = evidence.chain.find((link) => link instanceof ModelUnavailableError);
  if (unavailable) return unavailable.message;
  if (code !== "bad-request" && code !== "unknown") return sentences[code];
  const said = shown(evidence.message);
  return said === "" ? sentences[code] : `${sentences[code]} It said: “${said}”`;
}

function shown(message: string): string {
  const line = redactSecrets(message)
    .replace(/https?:\/\/\S+/g, "[address]")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= shownCharacters
    ? line
    : `${characters.slice(0, shownCharacters).join("")}…`;
}
