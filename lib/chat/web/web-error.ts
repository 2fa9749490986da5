/** Says to a model and a person why the web gave nothing. */
export class WebError extends Error {
  override readonly name = "WebError";
}
