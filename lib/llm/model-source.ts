import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelInfo, ModelRef } from "./model-info";
import type { ProviderProblem } from "./model-provider";

export type ResolvedModel = {
  readonly model: LanguageModelV4;
  readonly info: ModelInfo;
  readonly choice?: ModelChoice;
};

export type ResolvedEmbeddings = {
  readonly model: EmbeddingModelV4;
  readonly info: ModelInfo;
};

export type AutomaticRule = "first-answering" | "first-set-up" | "demo";

export type ModelChoice = "default" | "project" | AutomaticRule;

export type ModelSource = {
  answersFor(provider: string): boolean;
  listModels(): Promise<ModelInfo[]>;
  resolve(ref: ModelRef): Promise<ResolvedModel>;
  /** `null` where the provider offers no embeddings. */
  embeddings(ref: ModelRef): Promise<ResolvedEmbeddings | null>;
  problem(): ProviderProblem | null;
  leftOut(): readonly ProviderProblem[];
};

export type FallbackSource = ModelSource & { readonly info: ModelInfo };

export type ModelUnavailableCode =
  | "invalid-ref"
  | "unknown-provider"
  | "missing-key"
  | "local-server-down";

export class ModelUnavailableError extends Error {
  override readonly name = "ModelUnavailableError";
  readonly code: ModelUnavailableCode;
  readonly ref: string;

  constructor(code: ModelUnavailableCode, ref: string, message: string) {
    super(message);
    this.code = code;
    this.ref = ref;
  }
}
