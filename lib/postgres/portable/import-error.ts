/** For an invalid line, with a sentence for the person. */
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
