import type { Feature } from "@/lib/chat/wire/settings";

export const featureNames: Readonly<Record<Feature, string>> = {
  tools: "tools",
  images: "images",
  pdfs: "PDFs",
  system: "system messages",
  thoughts: "earlier thoughts",
  calls: "earlier tool calls of other models",
};

/** `The server refused tools, so it was asked again without.` */
export function refusedWords(feature: Feature): string {
  return `The server refused ${featureNames[feature]}, so it was asked again ${insteadOf[feature]}.`;
}

/** `This model takes no tools, so none were sent.` */
export function withoutWords(feature: Feature): string {
  return `This model takes no ${featureNames[feature]}. ${sentInstead[feature]}`;
}

const insteadOf: Readonly<Record<Feature, string>> = {
  tools: "without them",
  images: "without them",
  pdfs: "without them",
  system: "with the prompt in the first message",
  thoughts: "without them",
  calls: "with notes about them",
};

const sentInstead: Readonly<Record<Feature, string>> = {
  tools: "None were sent.",
  images: "None were sent.",
  pdfs: "Their text was sent instead.",
  system: "The prompt was sent with the first message.",
  thoughts: "None were sent.",
  calls: "Notes about them were sent.",
};
