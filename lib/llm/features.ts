import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { callsWithoutThoughts } from "./call-turns";

/** In the order of leaving out, since a system message may be made of what another one becomes. */
export const features = [
  "tools",
  "images",
  "pdfs",
  "schema",
  "json",
  "system",
  "thoughts",
  "calls",
] as const;
export type Feature = (typeof features)[number];

export interface FeatureRefusal {
  readonly feature: Feature;
  readonly words: string;
}

export type FeatureParams = Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "responseFormat">;
type CallMessage = LanguageModelV4Prompt[number];

export function featuresOf({ prompt, tools, responseFormat }: FeatureParams): ReadonlySet<Feature> {
  const found = new Set<Feature>();
  if (tools && tools.length > 0) found.add("tools");
  if (responseFormat?.type === "json") found.add(responseFormat.schema ? "schema" : "json");
  if (callsWithoutThoughts(prompt).size > 0) found.add("calls");
  for (const message of prompt) for (const feature of featuresIn(message)) found.add(feature);
  return found;
}

function featuresIn({ role, content }: CallMessage): Feature[] {
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
