import { APICallError, type FinishReason, StreamProviderError } from "ai";
import { hideKnownSecrets } from "./known-secrets";
import {
  isOutOfCredit,
  isUnreadable,
  type ModelErrorCode,
  type ModelErrorEvidence,
  modelErrorCode,
  modelErrorEvidence,
} from "./model-error-code";
import {
  type ModelParameters,
  type ParameterName,
  parametersNamedIn,
  parameterWords,
} from "./model-parameters";
import { ModelUnavailableError } from "./model-source";
import { ProviderFaultError } from "./provider-fault";

export type ModelErrorDescription = {
  readonly code: ModelErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly refused?: { readonly parameters: ParameterName[]; readonly words: string };
  readonly details?: string;
};

// Some providers answer an error with a page of HTML.
const shownCharacters = 300;
const detailCharacters = 1_000;

const sentences: Readonly<Record<ModelErrorCode, string>> = {
  "bad-key": "The provider rejected the API key. Check it in Settings → Models.",
  "rate-limited": "The provider is rate limiting this key. Wait a moment and try again.",
  overloaded: "The provider is overloaded or down. Try again in a moment or choose another model.",
  timeout: "The model took too long to answer. Try again or choose another model.",
  "context-overflow":
    "This chat no longer fits in the model's context window. Compact it or choose a model with a larger one.",
  network:
    "Couldn't reach the model server. Check that it is running, its base URL in Settings → Models, and your network.",
  cut: "Connection lost. Partial answer kept.",
  empty: "The model sent an empty answer. Try again, or choose another model.",
  refused: "The provider declined to answer. Rephrase the question or choose another model.",
  "bad-request": "The provider rejected the request. Choose another model or check its settings.",
  unread: "Grove could not read this chat, so nothing was sent to the model. Try again.",
  "wrong-format": "The answer is not in the format that the program asked for.",
  unknown: "The model failed unexpectedly. Try again or choose another model.",
};

const retryableCodes: ReadonlySet<ModelErrorCode> = new Set([
  "rate-limited",
  "overloaded",
  "timeout",
  "network",
  "cut",
  "empty",
  "unknown",
]);

const unreadable =
  "The provider sent something Grove could not read. Try again or choose another model.";

const goneModel = "The provider does not offer this model any more. Choose another one.";

const outOfCredit = "This provider account has no credit left. Add credit or choose another model.";

/**
 * Never throws; the message contains no key, header or address.
 *
 * @param options.now milliseconds, for a `retry-after` date.
 */
export function describeModelError(
  error: unknown,
  options: { now?: number; sent?: ModelParameters } = {},
): ModelErrorDescription {
  const evidence = modelErrorEvidence(error);
  const code = modelErrorCode(evidence);
  const refused = code === "bad-request" ? refusedOf(evidence, options.sent ?? {}) : null;
  if (refused) return refused;
  const details = detailsOf(code, evidence);
  if (code === "rate-limited" && isOutOfCredit(evidence)) {
    return { code, message: outOfCredit, retryable: false, ...details };
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
    ...details,
  };
}

function refusedOf(
  { text, message }: ModelErrorEvidence,
  sent: ModelParameters,
): ModelErrorDescription | null {
  const parameters = parametersNamedIn(text, sent);
  if (parameters.length === 0) return null;
  const names = parameters.map((name) => parameterWords[name]).join(" and ");
  return {
    code: "bad-request",
    message: `The provider refused the ${names} set for this chat.`,
    retryable: false,
    refused: { parameters, words: shown(message) },
  };
}

function isQuoted(code: ModelErrorCode): boolean {
  return code === "bad-request" || code === "unknown";
}

function detailsOf(
  code: ModelErrorCode,
  { chain, status, message }: ModelErrorEvidence,
): Pick<ModelErrorDescription, "details"> {
  const isOther = chain.some(
    (link) => link instanceof ModelUnavailableError || ProviderFaultError.isInstance(link),
  );
  if (isOther || isQuoted(code) || !isProvidersOwn(chain)) return {};
  const words = shown(message, detailCharacters);
  if (words === "") return {};
  return { details: status === null ? words : `Status ${status}: ${words}` };
}

function isProvidersOwn(chain: readonly unknown[]): boolean {
  return chain.some(
    (link) =>
      (APICallError.isInstance(link) && link.statusCode !== undefined) ||
      StreamProviderError.isInstance(link),
  );
}

function sentenceFor(code: ModelErrorCode, evidence: ModelErrorEvidence): string {
  const unavailable = evidence.chain.find((link) => link instanceof ModelUnavailableError);
  if (unavailable) return unavailable.message;
  const fault = evidence.chain.find((link) => ProviderFaultError.isInstance(link));
  if (fault) return withWords(fault.message, fault.said);
  if (!isQuoted(code)) return sentences[code];
  if (code === "unknown" && evidence.chain.some(isUnreadable)) return unreadable;
  const isGone = evidence.status === 404 && /\bmodel\b/.test(evidence.text);
  if (isGone) return withWords(goneModel, evidence.message);
  return withWords(sentences[code], evidence.message);
}

function withWords(sentence: string, words: string): string {
  const said = shown(words);
  return said === "" ? sentence : `${sentence} It said: “${said}”`;
}

function shown(message: string, most = shownCharacters): string {
  const line = redactSecrets(message)
    .replace(/https?:\/\/\S+/g, "[address]")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most).join("")}…`;
}

export type ReachedLimit = "maxSteps" | "maxToolCalls" | "maxCharacters";

const limitSentences: Readonly<Record<ReachedLimit, string>> = {
  maxSteps: "The answer reached its limit of steps. Ask the model to continue.",
  maxToolCalls: "The answer reached its limit of tool calls. Ask the model to continue.",
  maxCharacters: "The answer reached its limit of characters. Ask the model to continue.",
};

/** `null` for a complete answer. Some providers report an interruption only by its finish reason. */
export function describeFinishReason(
  reason: FinishReason,
  { isEmpty = false, limit = null }: { isEmpty?: boolean; limit?: ReachedLimit | null } = {},
): ModelErrorDescription | null {
  if (limit) return { code: "cut", message: limitSentences[limit], retryable: false };
  switch (reason) {
    case "stop":
    case "tool-calls":
      if (!isEmpty) return null;
      return { code: "empty", message: sentences.empty, retryable: true };
    case "length":
      return {
        code: "cut",
        message: "The answer reached the model's length limit. Ask the model to continue.",
        retryable: false,
      };
    case "content-filter":
      return {
        code: "refused",
        message: "The provider's content filter ended this answer.",
        retryable: false,
      };
    default:
      return {
        code: "cut",
        message: "The model stopped before the answer was complete. Try again for the rest.",
        retryable: true,
      };
  }
}

// Providers echo keys whole or partly masked.
const secretShapes =
  /\b(?:sk|pk|rk|gsk|xai|or|hf|r8|key)[-_][\w*.-]{6,}|\bAIza[\w*-]{10,}|\bbearer\s+\S+|\beyJ[\w-]+\.[\w.-]+|\b[\w-]*\*{4,}[\w-]*/gi;

export function redactSecrets(text: string): string {
  return hideKnownSecrets(text).replace(secretShapes, "[hidden]");
}

const longestMs = 24 * 60 * 60 * 1000;

/** Reads `retry-after-ms` or `retry-after` (RFC 9110 section 10.2.3). */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  now: number = Date.now(),
): number | null {
  const header = (name: string) =>
    Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const milliseconds = header("retry-after-ms");
  if (milliseconds !== undefined) return usable(Number(milliseconds));
  const after = header("retry-after");
  if (after === undefined) return null;
  const seconds = Number(after);
  return usable(Number.isNaN(seconds) ? Date.parse(after) - now : seconds * 1000);
}

function usable(ms: number): number | null {
  return Number.isFinite(ms) && ms >= 0 && ms <= longestMs ? Math.round(ms) : null;
}
