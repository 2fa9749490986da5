/** A fault of the connection to a provider, or of the body it sent. */
export type ProviderFault =
  /** No byte within the limit. */
  | "silent"
  /** Bytes came, then none within the limit. */
  | "fell-silent"
  | "no-body"
  | "web-page"
  /** JSON that holds no answer. */
  | "json"
  /** An error in place of an answer, with a good status. */
  | "refusal"
  | "too-long";

/** The message is a sentence for the person with a next step; it contains no key, header or address. */
export class ProviderFaultError extends Error {
  override readonly name = "ProviderFaultError";

  constructor(
    readonly fault: ProviderFault,
    message: string,
    /** The provider's own words, not yet redacted. */
    readonly said: string = "",
  ) {
    super(message);
  }

  /** By name: routes are bundled separately, each with its own classes. */
  static isInstance(error: unknown): error is ProviderFaultError {
    return error instanceof Error && error.name === "ProviderFaultError" && "fault" in error;
  }
}

export function providerRefusal(said: string): ProviderFaultError {
  return new ProviderFaultError("refusal", "The provider answered with an error.", said);
}
