import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";

const length = /length|max_?(?:output_|new_|completion_)?tokens|token_limit|context_window/;
const filter =
  /filter|safety|refusal|sensitive|prohibited|blocklist|recitation|spii|moderation|guardrail/;
const failure =
  /error|fail|abort|cancel|interrupt|time_?out|insufficient|overload|malformed|unexpected_tool/;

/**
 * Any reason but length, a filter or a failure is a complete end. @param end empty for an end without a reason, `null`
 * for none: the answer was interrupted.
 */
export function endOfAnswer(
  reason: LanguageModelV4FinishReason,
  { end, hasCalls }: { readonly end: string | null; readonly hasCalls: boolean },
): LanguageModelV4FinishReason {
  if (known.has(reason.unified)) return reason;
  const raw = end === null || end === "" ? reason.raw : end;
  if (raw === undefined && end === null) return reason;
  return { unified: unifiedOf(raw ?? "", hasCalls), raw: raw ?? "stop" };
}

const known: ReadonlySet<string> = new Set(["stop", "length", "content-filter", "tool-calls"]);

function unifiedOf(raw: string, hasCalls: boolean): LanguageModelV4FinishReason["unified"] {
  const word = raw.toLowerCase().replace(/[\s-]+/g, "_");
  if (failure.test(word)) return "error";
  if (length.test(word)) return "length";
  if (filter.test(word)) return "content-filter";
  return hasCalls ? "tool-calls" : "stop";
}
