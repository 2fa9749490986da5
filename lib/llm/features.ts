import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { callsWithoutThoughts } from "./call-turns";

/** Kinds of content that some models and servers refuse; `calls` are those without the thoughts of their turn. */
export const features = ["tools", "images", "pdfs", "system", "thoughts", "calls"] as const;
export type Feature = (typeof features)[number];

/** A server's refusal of one of them. */
export interface Refusal {
  readonly feature: Feature;
  /** The server's, redacted. */
  readonly words: string;
}

export type FeatureParams = Pick<LanguageModelV4CallOptions, "prompt" | "tools">;
type Message = LanguageModelV4Prompt[number];

/** Those that a call has. */
export function featuresOf({ prompt, tools }: FeatureParams): ReadonlySet<Feature> {
  const found = new Set<Feature>();
  if (tools && tools.length > 0) found.add("tools");
  if (callsWithoutThoughts(prompt).size > 0) found.add("calls");
  for (const message of prompt) for (const feature of featuresIn(message)) found.add(feature);
  return found;
}

function featuresIn({ role, content }: Message): Feature[] {
  if (role === "system") return ["system"];
  if (role === "tool") return [];
  return content.flatMap((part): Feature[] => {
    if (part.type === "reasoning") return ["thoughts"];
    if (part.type !== "file") return [];
    return [fileFeature(part.mediaType)];
  });
}

export function fileFeature(mediaType: string): "images" | "pdfs" {
  return mediaType.startsWith("image") ? "images" : "pdfs";
}
