import {
  APICallError,
  JSONParseError,
  LoadAPIKeyError,
  NoOutputGeneratedError,
  NoSuchModelError,
  RetryError,
  StreamProviderError,
  TypeValidationError,
} from "ai";
import { features } from "./features";
import { ModelUnavailableError } from "./model-source";
import { type ProviderFault, ProviderFaultError } from "./provider-fault";
import { providerWords } from "./reading/provider-words";
import { refusedFeature } from "./refused-feature";

/**
 * `cut`: the answer ended in the middle. `unread`: Grove could not read the input. `wrong-format`: a program asked for
 * another format.
 */
export type ModelErrorCode =
  | "bad-key"
  | "rate-limited"
  | "overloaded"
  | "timeout"
  | "context-overflow"
  | "network"
  | "cut"
  | "empty"
  | "refused"
  | "bad-request"
  | "unread"
  | "wrong-format"
  | "unknown";

const overflow =
  /context[_ -](?:length|window|size)|maximum (?:context|prompt)|(?:prompt|input|request) (?:is |are )?too (?:long|large)|request_too_large|too many (?:input )?tokens|token count[^\n]* exceeds|exceeds[^\n]*(?:maximum number of tokens|available context|token limit|context)/;
const badKey =
  /invalid[_ ]api[_ ]key|api key not (?:valid|found)|incorrect api key|authentication_error|unauthenticated|invalid x-api-key|invalid header value/;
const noCredit =
  /insufficient_quota|credit balance|billing|payment required|exceeded your current quota/;
const busy = /overloaded|unavailable|server_error|api_error|internal server error|internal error/;
const refusal =
  /content[_ ]?(?:filter|policy|management)|moderation|flagged|prohibited_content|safety (?:system|filter|reason)|usage polic/;
const timedOut = /timeouterror|timed? ?out|timeout|deadline/;
const unreachable =
  /econnrefused|enotfound|eai_again|ehostunreach|enetunreach|certificate|unexpected redirect/;
const cut =
  /terminated|econnreset|epipe|und_err_socket|socket hang up|other side closed|premature|ended without|finish reason|aborted|failed to process successful response/;
const everyFeature: ReadonlySet<(typeof features)[number]> = new Set(features);
const unanswered = /cannot connect|fetch failed/;

export function isOutOfCredit({ status, text }: ModelErrorEvidence): boolean {
  return (
    status === 402 || ((status === 429 || status === 400 || status === 403) && noCredit.test(text))
  );
}

/** Wording comes before status, where providers disagree: an overflow is 400 or 413, an overload 503 or 529. */
export function modelErrorCode(evidence: ModelErrorEvidence): ModelErrorCode {
  return (
    codeByKind(evidence) ??
    codeByAnswer(evidence) ??
    codeByConnection(evidence.text) ??
    codeByWording(evidence.text) ??
    "unknown"
  );
}

function codeByKind({ chain, text }: ModelErrorEvidence): ModelErrorCode | null {
  for (const link of chain) {
    if (ProviderFaultError.isInstance(link)) return codeOfFault(link.fault, text);
    if (link instanceof ModelUnavailableError) return codeOfUnavailable(link);
    if (LoadAPIKeyError.isInstance(link)) return "bad-key";
    if (NoSuchModelError.isInstance(link)) return "bad-request";
    if (link instanceof Error && link.name === "TimeoutError") return "timeout";
    if (link instanceof Error && link.name === "AbortError") return "cut";
  }
  return chain.length === 1 && NoOutputGeneratedError.isInstance(chain[0]) ? "cut" : null;
}

function codeOfFault(fault: ProviderFault, text: string): ModelErrorCode {
  switch (fault) {
    case "silent":
      return "timeout";
    case "fell-silent":
    case "too-long":
      return "cut";
    case "no-body":
      return "empty";
    case "web-page":
      return "bad-request";
    case "json":
    case "refusal":
      return codeByWording(text) ?? "bad-request";
  }
}

function codeOfUnavailable({ code }: ModelUnavailableError): ModelErrorCode {
  switch (code) {
    case "missing-key":
      return "bad-key";
    case "local-server-down":
      return "network";
    case "invalid-ref":
    case "unknown-provider":
      return "bad-request";
  }
}

function codeByAnswer(evidence: ModelErrorEvidence): ModelErrorCode | null {
  const { status, text } = evidence;
  // An interrupted answer is reported with status 200.
  if (status === null || status < 400) return null;
  if (isOutOfCredit(evidence) || status === 429) return "rate-limited";
  if (overflow.test(text)) return "context-overflow";
  if (status === 401 || badKey.test(text)) return "bad-key";
  if (status < 500 && refusal.test(text)) return "refused";
  if (status === 403) return "bad-key";
  if (status === 408 || status === 504) return "timeout";
  if (status < 500 || refusedFeature(evidence, everyFeature)) return "bad-request";
  // Servers report anything they cannot do as an internal error.
  return status === 500 && evidence.message !== "" && !busy.test(text) ? "unknown" : "overloaded";
}

function codeByConnection(text: string): ModelErrorCode | null {
  if (timedOut.test(text)) return "timeout";
  if (unreachable.test(text)) return "network";
  if (cut.test(text)) return "cut";
  return unanswered.test(text) ? "network" : null;
}

function codeByWording(text: string): ModelErrorCode | null {
  if (overflow.test(text)) return "context-overflow";
  if (badKey.test(text)) return "bad-key";
  if (/rate.?limit|too many requests|resource_exhausted/.test(text) || noCredit.test(text)) {
    return "rate-limited";
  }
  if (busy.test(text)) return "overloaded";
  return refusal.test(text) ? "refused" : null;
}

export type ModelErrorEvidence = {
  readonly chain: readonly unknown[];
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly message: string;
};

const maxDepth = 8;

export function modelErrorEvidence(error: unknown): ModelErrorEvidence {
  const chain = causesOf(error);
  const call = chain.find((link) => APICallError.isInstance(link));
  const inStream = chain.find((link) => StreamProviderError.isInstance(link));
  return {
    chain,
    status: call?.statusCode ?? inStream?.statusCode ?? statusIn(chain.at(-1)),
    headers: call?.responseHeaders ?? {},
    text: chain.map(wordsOf).join("\n").toLowerCase(),
    message: chain.some(isUnreadable) ? "" : messageOf(call ?? inStream ?? chain.at(-1)),
  };
}

export function isUnreadable(link: unknown): boolean {
  return (
    TypeValidationError.isInstance(link) ||
    JSONParseError.isInstance(link) ||
    (link instanceof Error && "issues" in link)
  );
}

function statusIn(link: unknown): number | null {
  if (typeof link !== "object" || link === null || link instanceof Error) return null;
  return "statusCode" in link && typeof link.statusCode === "number" ? link.statusCode : null;
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
  if (ProviderFaultError.isInstance(link)) return link.said;
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
  if (APICallError.isInstance(link)) return providerWords(link.responseBody ?? "") || link.message;
  if (link instanceof Error) return link.message;
  if (typeof link === "string") return link;
  if (typeof link !== "object" || link === null) return "";
  // Some providers put the raw `{ message, type, code }` into the stream.
  const { message, type, code } = link as Readonly<Record<string, unknown>>;
  return [message, type, code].filter((word) => typeof word === "string").join(" ");
}
