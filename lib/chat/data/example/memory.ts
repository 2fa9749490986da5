import type { NewBlock, WriteProvenance } from "grove-session/ports";

type ExampleBlock = Pick<NewBlock, "label" | "description" | "kind" | "maxTokens">;

/** Scoped to the example, so that fiction never enters a person's memory. */
export const exampleBlocks = {
  facts: {
    label: "garden-facts",
    description: "Facts about the gardener of this example",
    kind: "writable",
    maxTokens: 500,
  },
  notes: {
    label: "garden-notes",
    description: "Texts about sowing and watering; search them before answering",
    kind: "searchable",
    maxTokens: null,
  },
  skills: {
    label: "garden-skills",
    description: "Guides to load when a plant needs care",
    kind: "loadable",
    maxTokens: null,
  },
} as const satisfies Record<string, ExampleBlock>;

export const exampleFacts: readonly { content: string; by: WriteProvenance }[] = [
  { content: "- Grows vegetables on a balcony", by: { author: "model", messageId: "example-a1" } },
  {
    content: "- Grows vegetables on a balcony\n- Is away for two weeks every July",
    by: { author: "model", messageId: "example-a2" },
  },
  {
    content:
      "- Grows vegetables on a south-west balcony of 6 m²\n- Is away for two weeks every July",
    by: { author: "person" },
  },
];

export const exampleTodos =
  "- [x] Buy tomatoes\n- [x] Set up the drip line\n- [ ] Ask a neighbour to refill the canister on day ten";

export const exampleKnowledge = [
  {
    title: "Sowing calendar",
    description: "What to sow when, for pots and boxes",
    content:
      "March: radishes, salad leaves, spinach.\nApril: carrots in deep boxes, chard, parsley.\nMay, after the last frost: beans, courgettes, basil.\nAugust: lamb's lettuce, spinach, winter purslane.\nOctober: garlic cloves, for next July.",
  },
  {
    title: "Watering by weather",
    description: "How much a 20-litre pot needs a day",
    content:
      "Below 20 °C half a litre, up to 28 °C one litre, above that two. Water in the morning and on the soil, never on the leaves. Mulch halves it.",
  },
];

export const exampleSkill = {
  title: "plant-doctor",
  description:
    "Finds out what ails a plant, step by step. Use it when leaves change colour or shape.",
  content:
    "# Plant doctor\n\nAsk one question at a time, then name the likeliest cause and one remedy.\n\n1. Where does it begin: old leaves below, or young ones above?\n2. Between the veins, along the edge, or in spots with rings?\n3. What was the weather, and when was it last fed?\n\n| Sign | Likely cause | Remedy |\n|---|---|---|\n| yellow between veins, from below | magnesium | Epsom salt, once |\n| yellow all over, from below | nitrogen | liquid feed, weekly |\n| brown spots with rings | early blight | remove leaves, water the soil only |\n| pale young leaves | iron, lime in the water | rain water |\n\nNever recommend a spray before the cause is clear.",
};
