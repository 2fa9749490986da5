import type { ProviderKind } from "./provider-kinds";

export type ModelProvider = {
  /** Prefix of model refs, such as `openai`, `compatible:groq` or `local:ollama`. */
  readonly id: string;
  readonly kind: ProviderKind | "local";
  readonly label: string;
  readonly baseUrl: string;
  readonly hasOwnAddress?: boolean;
  /** The person pays: neither its key nor its server is the operator's. */
  readonly isOwn?: boolean;
  readonly apiKey: string | null;
  readonly api: "responses" | "chat";
  /** `null` asks the provider for its list. */
  readonly models: readonly string[] | null;
};

export type ProviderProblem = {
  readonly provider: string;
  readonly providerLabel: string;
  readonly message: string;
};

export function leftOutOf(
  { id, label }: Pick<ModelProvider, "id" | "label">,
  count: number,
): ProviderProblem[] {
  if (count === 0) return [];
  const entries = count === 1 ? "1 entry" : `${count.toLocaleString("en")} entries`;
  const is = count === 1 ? "is" : "are";
  const message = `${entries} in the list of ${label} ${is} left out, because the list is damaged or too long. To use a model that is missing, type its name in the model menu.`;
  return [{ provider: id, providerLabel: label, message }];
}
