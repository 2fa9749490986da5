import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelInfo } from "./model-info";
import type { ProviderProblem } from "./model-provider";
import type { ModelRef } from "./model-ref";

/** A model that can be called, and what is known of it. */
export type ResolvedModel = { readonly model: LanguageModelV4; readonly info: ModelInfo };

/** Where models come from. */
export type ModelSource = {
  /** Whether models of that provider come from here. */
  answersFor(provider: string): boolean;
  /** The models that can be chosen now; never fails. */
  listModels(): Promise<ModelInfo[]>;
  /** @throws {ModelUnavailableError} when the model cannot be used now. */
  resolve(ref: ModelRef): Promise<ResolvedModel>;
  /** Why the last list may be incomplete. */
  problem(): ProviderProblem | null;
};
