export type ProviderFault =
  | "silent"
  | "fell-silent"
  | "no-body"
  | "web-page"
  | "json"
  | "refusal"
  | "too-long";

/** The message is for the person; it contains no key, header or address. */
export class ProviderFaultError extends Error {
  override readonly name = "ProviderFaultError";

  constructor(
    readonly fault: ProviderFault,
    message: string,
    readonly said: string = "",
  ) {
    super(message);
  }

  /** Compares names: routes are bundled separately, each with its own classes. */
  static isInstance(error: unknown): error is ProviderFaultError {
    return error instanceof Error && error.name === "ProviderFaultError" && "fault" in error;
  }
}

export function providerRefusal(said: string): ProviderFaultError {
  return new ProviderFaultError("refusal", "The provider answered with an error.", said);
}
