import type { SessionMessage } from "grove-session";

export const exampleModel = "demo/grove-demo";

export interface ExampleMessage extends SessionMessage {
  readonly under?: string | undefined;
}

const said = (
  role: "user" | "assistant",
  id: string,
  text: string,
  under?: string,
): ExampleMessage => ({
  id: `example-${id}`,
  role,
  parts: [{ type: "text", text }],
  ...(role === "assistant" && { metadata: { status: "complete", model: exampleModel } }),
  ...(under !== undefined && { under: `example-${under}` }),
});
const asks = (id: string, text: string, under?: string) => said("user", id, text, under);
const answers = (id: string, text: string, under?: string) => said("assistant", id, text, under);

export const exampleConversation: readonly ExampleMessage[] = [
  asks(
    "q1",
    "I have a balcony of six square metres facing south-west. What can I grow there this year?",
  ),
  answers(
    "a1",
    "South-west means warm afternoons, so you can grow nearly everything that likes sun:\n\n| Plant | Pot | When |\n|---|---|---|\n| Tomatoes | 20 l | mid-May |\n| Salad leaves | box | from March |\n| Basil, thyme, rosemary | 3–5 l | from May |\n| Strawberries | hanging | April |\n\nSix square metres hold about **eight large pots** and a row of boxes. Shall we make a plan by month?",
  ),
  asks("q2", "Yes, by month please. I go away for two weeks in July."),
  answers(
    "a2",
    "Then the plan has to survive two weeks without you:\n\n1. **March:** salad leaves and radishes in boxes.\n2. **April:** strawberries, first herbs under glass.\n3. **May:** tomatoes and basil after the last frost, around the 15th.\n4. **June:** mulch every pot; set up a drip line from a 20-litre canister.\n5. **July:** you are away; the canister lasts about ten days at 2 litres a day, so ask a neighbour once.\n6. **August and September:** harvest, then sow lamb's lettuce.",
  ),
  asks("q3", "Which tomatoes stay small enough?"),
  answers(
    "a3",
    "Three that stay under a metre and fruit well in pots:\n\n- **Balkonstar**, early, medium fruit\n- **Tumbling Tom**, cherry tomatoes, hangs over the edge\n- **Micro Tom**, hardly 20 cm, for the window sill\n\nTake one plant per 20-litre pot.",
  ),
  asks("q4", "And what does the drip line cost?"),
  answers(
    "a4",
    "About 35 € for eight pots:\n\n```text\nhose 10 m            9 €\n8 drippers, 2 l/h   14 €\ntimer with battery  12 €\n```\n\nWithout a tap the canister stands half a metre higher than the pots, and the timer can go.",
  ),
  asks("q5", "Good. I have bought Tumbling Tom and Balkonstar. The canister is 25 litres."),
  answers(
    "a5",
    "With 25 litres and 2 litres a day you have **twelve and a half days**: one refill by a neighbour on day ten is enough. Plant both tomatoes after 15 May.",
  ),
  asks("q6", "The leaves of one tomato turn yellow from below. What is that?"),
  answers(
    "a6",
    "From below and between the veins it is mostly a lack of **magnesium**, in pots often after heavy rain. Give Epsom salt once: a teaspoon in 2 litres of water. If the spots are brown with rings, it is early blight: take off the leaves and water the soil only.",
  ),
  asks("q7", "Magnesium it was, they are green again. What do I sow when the tomatoes are done?"),
  answers(
    "a7",
    "Lamb's lettuce and spinach until mid-September; garlic cloves in October for next year. Loosen the soil and add a handful of compost to every pot first.",
  ),
  answers(
    "a1b",
    "Another way to see it: start from what you like to eat. Two pots of tomatoes, one box of salad, a pot each of basil and chives, and strawberries at the rail. Everything else is an experiment for one pot at a time.",
    "q1",
  ),
  asks("q3b", "Are peppers easier than tomatoes in pots?", "a2"),
  answers(
    "a3b",
    "Peppers need less water and forgive a windy corner, but they are slower: buy plants instead of sowing, and expect the first fruit in August. For a first year I would take one pepper beside the tomatoes.",
  ),
];

export const exampleSummaries = [
  {
    from: "example-q2",
    to: "example-a4",
    summary:
      "## Topic\nA kitchen garden on a south-west balcony of 6 m².\n\n## Key Points\n- Monthly plan from March to September; two weeks away in July.\n- Small tomatoes for 20-litre pots: Balkonstar, Tumbling Tom, Micro Tom.\n- Drip line for eight pots: about 35 €.\n\n## Current State\nPlan agreed, nothing bought yet.\n\n## Open Items\n- Choose tomatoes.\n- Watering during the holidays.",
    metadata: { model: exampleModel, cost: 0, author: "model" as const },
  },
  {
    from: "example-q2",
    to: "example-a5",
    summary:
      "## Topic\nA kitchen garden on a south-west balcony of 6 m².\n\n## Key Points\n- Monthly plan from March to September; two weeks away in July.\n- Bought: Tumbling Tom and Balkonstar, one plant per 20-litre pot, out after 15 May.\n- Drip line for eight pots: about 35 €; a canister of 25 litres lasts twelve days.\n\n## Current State\nTomatoes and canister are there.\n\n## Open Items\n- A neighbour refills the canister on day ten.",
    metadata: { model: exampleModel, cost: 0, author: "model" as const },
  },
];
