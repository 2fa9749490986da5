import type { ModelChoice } from "@/lib/chat/wire/request-fields";
import type { Feature } from "@/lib/chat/wire/settings";

export const featureNames: Readonly<Record<Feature, string>> = {
  tools: "tools",
  images: "images",
  pdfs: "PDFs",
  schema: "JSON schemas",
  json: "JSON mode",
  system: "system messages",
  thoughts: "earlier thoughts",
  calls: "earlier tool calls of other models",
};

export function refusedWords(feature: Feature): string {
  return `The server refused ${featureNames[feature]}, so it was asked again ${insteadOf[feature]}.`;
}

export function withoutWords(feature: Feature): string {
  return `This model takes no ${featureNames[feature]}. ${sentInstead[feature]}`;
}

const insteadOf: Readonly<Record<Feature, string>> = {
  tools: "without them",
  images: "without them",
  pdfs: "without them",
  schema: "with the schema in the prompt",
  json: "with the prompt asking for JSON",
  system: "with the prompt in the first message",
  thoughts: "without them",
  calls: "with notes about them",
};

const sentInstead: Readonly<Record<Feature, string>> = {
  tools: "None were sent.",
  images: "None were sent.",
  pdfs: "Their text was sent instead.",
  schema: "The schema was sent in the prompt.",
  json: "The prompt asked for JSON.",
  system: "The prompt was sent with the first message.",
  thoughts: "None were sent.",
  calls: "Notes about them were sent.",
};

export const choiceWords: Readonly<Record<ModelChoice, string>> = {
  default: "your default model",
  project: "the default model of this project",
  "first-answering": "the default model, of the first provider that answered",
  "first-set-up": "the default model, of the first provider you set up, since none answered",
  demo: "no provider is set up",
};
