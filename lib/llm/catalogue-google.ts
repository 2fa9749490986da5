import { type KnownModel, price } from "./catalogue-entry";

/**
 * Standard prices for prompts up to 200,000 tokens; Google charges longer ones of the Pro models more.
 * A launch price with an end date is left out: it would be wrong the day after.
 *
 * Read in November 2026 from https://ai.google.dev/gemini-api/docs/pricing and models.dev.
 */
export const googleModels: readonly KnownModel[] = [
  {
    id: "gemini-3.8-flash",
    label: "Gemini 3.8 Flash",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: null,
    reasoning: true,
  },
  {
    id: "gemini-4-argon",
    label: "Gemini 4 Argon",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: null,
    reasoning: true,
  },
  {
    id: "gemini-4-hydrogen",
    label: "Gemini 4 Hydrogen",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: price(1.5, 7.5),
    reasoning: true,
  },
  {
    id: "gemini-3.7-flash",
    label: "Gemini 3.7 Flash",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: null,
    reasoning: true,
  },
  {
    id: "gemini-3.6-flash",
    label: "Gemini 3.6 Flash",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: null,
    reasoning: true,
  },
  {
    id: "gemini-3.5-flash",
    label: "Gemini 3.5 Flash",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: price(1.5, 9, 0.15),
    reasoning: true,
  },
  {
    id: "gemini-3.5-flash-lite",
    label: "Gemini 3.5 Flash-Lite",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: price(0.3, 2.5, 0.03),
    reasoning: true,
  },
  {
    id: "gemini-3.1-pro-preview",
    label: "Gemini 3.1 Pro (preview)",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: price(2, 12, 0.2),
    reasoning: true,
  },
  {
    id: "gemini-2.5-pro",
    label: "Gemini 2.5 Pro",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: price(1.25, 10, 0.125),
    reasoning: true,
  },
  {
    id: "gemini-2.5-flash",
    label: "Gemini 2.5 Flash",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: price(0.3, 2.5, 0.03),
    reasoning: true,
  },
  {
    id: "gemini-2.5-flash-lite",
    label: "Gemini 2.5 Flash-Lite",
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    price: price(0.1, 0.4, 0.01),
    reasoning: true,
  },
];
