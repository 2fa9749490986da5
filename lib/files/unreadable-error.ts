/** Nothing of the file can be read; the message is for the person. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}
