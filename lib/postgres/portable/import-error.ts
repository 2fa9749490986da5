/** A line of an import that does not fit; the sentence is for the person. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  constructor(
    message: string,
    readonly field?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
