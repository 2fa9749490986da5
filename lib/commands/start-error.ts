/** Why Grove does not start: a sentence for the person, printed without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}
