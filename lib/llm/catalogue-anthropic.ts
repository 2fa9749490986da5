import { type KnownModel, price } from "./catalogue-entry";

/**
 * The cache-write price is that of the five-minute cache.
 *
 * Read in November 2026 from https://platform.claude.com/docs and models.dev.
 */
export const anthropicModels: readonly KnownModel[] = [
  {
    id: "claude-sonnet-5-5",
    label: "Claude Sonnet 5.5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(2, 10, 0.1, 2.5),
    reasoning: true,
  },
  {
    id: "claude-opus-5-5",
    label: "Claude Opus 5.5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(4, 20, 0.2, 5),
    reasoning: true,
  },
  // The price of its lowest tier.
  {
    id: "claude-haiku-5-5",
    label: "Claude Haiku 5.5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(0.1, 0.5, 0.01, 0.125),
    reasoning: true,
  },
  {
    id: "claude-fable-5-2",
    label: "Claude Fable 5.2",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: null,
    reasoning: true,
  },
  {
    id: "claude-fable-5-1",
    label: "Claude Fable 5.1",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(10, 50, 1, 12.5),
    reasoning: true,
  },
  {
    id: "claude-sonnet-5",
    label: "Claude Sonnet 5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(2, 10, 0.2, 2.5),
    reasoning: true,
  },
  {
    id: "claude-opus-5",
    label: "Claude Opus 5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(5, 25, 0.5, 6.25),
    reasoning: true,
  },
  {
    id: "claude-opus-4-8",
    label: "Claude Opus 4.8",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(5, 25, 0.5, 6.25),
    reasoning: true,
  },
  {
    id: "claude-opus-4-7",
    label: "Claude Opus 4.7",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(5, 25, 0.5, 6.25),
    reasoning: true,
  },
  {
    id: "claude-opus-4-6",
    label: "Claude Opus 4.6",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(5, 25, 0.5, 6.25),
    reasoning: true,
  },
  {
    id: "claude-sonnet-4-6",
    label: "Claude Sonnet 4.6",
    contextWindow: 1_000_000,
    maxOutput: 64_000,
    price: price(3, 15, 0.3, 3.75),
    reasoning: true,
  },
  {
    id: "claude-opus-4-5",
    label: "Claude Opus 4.5",
    contextWindow: 200_000,
    maxOutput: 64_000,
    price: price(5, 25, 0.5, 6.25),
    reasoning: true,
  },
  {
    id: "claude-sonnet-4-5",
    label: "Claude Sonnet 4.5",
    contextWindow: 200_000,
    maxOutput: 64_000,
    price: price(3, 15, 0.3, 3.75),
    reasoning: true,
  },
  {
    id: "claude-haiku-4-5",
    label: "Claude Haiku 4.5",
    contextWindow: 200_000,
    maxOutput: 64_000,
    price: price(1, 5, 0.1, 1.25),
    reasoning: true,
  },
];
