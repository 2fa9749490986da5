/** A model's name, taken apart: which provider answers, and what that provider calls the model. */
export type ModelRef = { readonly provider: string; readonly modelId: string };

/**
 * Reads `"<provider>/<model id>"`; the first slash separates, so a model id may hold slashes itself.
 *
 * @returns `null` when either side is empty.
 */
export function parseModelRef(ref: string): ModelRef | null {
  const slash = ref.indexOf("/");
  if (slash < 1 || slash === ref.length - 1) return null;
  return { provider: ref.slice(0, slash), modelId: ref.slice(slash + 1) };
}

/** Writes a model's name: the inverse of `parseModelRef`. */
export function formatModelRef({ provider, modelId }: ModelRef): string {
  return `${provider}/${modelId}`;
}
