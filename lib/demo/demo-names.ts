import type { DemoCall } from "./demo-call";
import { chosen } from "./hash";

// Answering again takes the next one, so neighbours differ.
const bakeries = [
  "**Crumb & Ember**: a loaf and the oven it came from.",
  "**The Early Loaf**: it says when the baker gets up, and what you get for it.",
  "**Rye & Shine**: cheerful, short, and easy to spell on the phone.",
  "**Second Rise**: what a good dough does, and a promise not to hurry it.",
  "**Small Batch**: honest about the size, and proud of it.",
  "**Flour Street**: sounds as if it had always been there.",
  "**Salt & Seed**: the two things on top of the best rolls.",
] as const;

const anything = [
  "**Juniper**: short, friendly, and easy to say in many languages.",
  "**North Window**: calm, with good light.",
  "**Tally**: brisk, and it fits on a small sign.",
  "**Hazel & Co.**: modest, and it can grow.",
  "**Lantern**: people remember what they can picture.",
  "**Fieldnote**: curious and a little old-fashioned.",
  "**Morrow**: looks ahead without promising too much.",
] as const;

/** One suggestion, with its reason; another one when it is asked for again. */
export function suggestedName({ question, seed }: DemoCall): string {
  const names = /\bbaker(?:y|ies)\b/i.test(question) ? bakeries : anything;
  return `${chosen(names, seed)}

Answer again under this message, and I suggest another one. Both stay: the arrows walk between them, and **Compare** puts them side by side.`;
}
