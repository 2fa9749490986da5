import { LoadAPIKeyError, NoOutputGeneratedError, NoSuchModelError } from "ai";
import type { ModelErrorEvidence } from "./model-error-evidence";
import { ModelUnavailableError } from "./model-unavailable-error";

/** Why a model call failed, the same for every provider; `cut` is an answer that ended in the middle. */
export type ModelErrorCode =
  | "bad-key"
  | "rate-limited"
  | "overloaded"
  | "timeout"
  | "context-overflow"
  | "network"
  | "cut"
  | "refused"
  | "bad-request"
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
const unanswered = /cannot connect|fetch failed/;

/** Whether the account has nothing left to spend: waiting does not help. */
export function isOutOfCredit({ status, text }: ModelErrorEvidence): boolean {
  return (
    status === 402 || ((status === 429 || status === 400 || status === 403) && noCredit.test(text))
  );
}

/**
 * Says what kind of failure the evidence shows.
 *
 * Wording is looked at before status where providers disagree on the status: an overflow is 400 or 413, a wrong
 * key 400, 401 or 403, an overload 503 or 529.
 */
export function modelErrorCode(evidence: ModelErrorEvidence): ModelErrorCode {
  return (
    codeByKind(evidence.chain) ??
    codeByAnswer(evidence) ??
    codeByConnection(evidence.text) ??
    codeByWording(evidence.text) ??
    "unknown"
  );
}

function codeByKind(chain: readonly unknown[]): ModelErrorCode | null {
  for (const link of chain) {
    if (link instanceof ModelUnavailableError) return codeOfUnavailable(link);
    if (LoadAPIKeyError.isInstance(link)) return "bad-key";
    if (NoSuchModelError.isInstance(link)) return "bad-request";
    if (link instanceof Error && link.name === "TimeoutError") return "timeout";
    if (link instanceof Error && link.name === "AbortError") return "cut";
  }
  return chain.length === 1 && NoOutputGeneratedError.isInstance(chain[0]) ? "cut" : null;
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
  // An answer that began well and then broke off is reported with its status, 200.
  if (status === null || status < 400) return null;
  if (isOutOfCredit(evidence) || status === 429) return "rate-limited";
  if (overflow.test(text)) return "context-overflow";
  if (status === 401 || badKey.test(text)) return "bad-key";
  if (status < 500 && refusal.test(text)) return "refused";
  if (status === 403) return "bad-key";
  if (status === 408 || status === 504) return "timeout";
  return status >= 500 ? "overloaded" : "bad-request";
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
