import type { ModelChoice } from "@/lib/chat/wire/request-fields";

/** Why a model was taken that nobody asked for by name. */
export const choiceWords: Readonly<Record<ModelChoice, string>> = {
  default: "your default in Settings",
  "first-answering": "the first provider that answered",
  "first-set-up": "the first provider you set up; none answered",
  demo: "no provider is set up",
};
