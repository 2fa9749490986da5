/** Why no summary came of a model call. */
export type SummaryErrorCode = "failed" | "truncated" | "blank" | "refused";

const messages: Readonly<Record<SummaryErrorCode, string>> = {
  failed: "The model failed while it was writing the summary.",
  truncated: "The summary was cut off before its end, so it was not used.",
  blank: "The model answered with an empty summary.",
  refused: "The provider's content filter stopped the summary.",
};

/** A summary that must not stand for anything; the cause, where there is one, is the model's own error. */
export class SummaryError extends Error {
  override readonly name = "SummaryError";
  readonly code: SummaryErrorCode;

  constructor(code: SummaryErrorCode, options?: { cause?: unknown }) {
    super(messages[code], options);
    this.code = code;
  }
}
