export class WebError extends Error {
  override readonly name = "WebError";
}
