import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelInfo, ModelRef } from "./model-info";
import type { ProviderProblem } from "./model-provider";

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

/** A source that always has its model, for when no other source has one. */
export type FallbackSource = ModelSource & { readonly info: ModelInfo };

/** Why a model cannot be called. */
export type ModelUnavailableCode =
  | "invalid-ref"
  | "unknown-provider"
  | "missing-key"
  | "local-server-down";

/** A model that was asked for cannot be used now; the message says what the person can do about it. */
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
