import type { ProviderKind } from "./provider-kinds";

export type ModelProvider = {
  /** Prefix of its refs, such as `openai`, `compatible:groq` or `local:ollama`. */
  readonly id: string;
  readonly kind: ProviderKind | "local";
  readonly label: string;
  readonly baseUrl: string;
  /** The person entered it, not the operator. */
  readonly hasOwnAddress?: boolean;
  /** `null` only where a server may need none. */
  readonly apiKey: string | null;
  readonly api: "responses" | "chat";
  /** `null` asks the provider. */
  readonly models: readonly string[] | null;
};

/** A sentence for the person. */
export type ProviderProblem = {
  readonly provider: string;
  readonly providerLabel: string;
  readonly message: string;
};
