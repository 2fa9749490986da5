import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import type { Output } from "./transform-stream";

export type StreamPart = LanguageModelV4StreamPart;

export type Delta = Extract<StreamPart, { delta: string }>;

export type TextDelta = Extract<StreamPart, { type: "text-delta" | "reasoning-delta" }>;

export type PartSink = Pick<Output<StreamPart>, "enqueue">;

export type OpenedCall =
  | { readonly result: LanguageModelV4StreamResult }
  | { readonly result: LanguageModelV4StreamResult | null; readonly fault: unknown };
