import { expect, it } from "vitest";
import { ThoughtTimes } from "./thought-times";

it("measures each reasoning part, and one that did not end up to now", () => {
  let now = 0;
  const times = new ThoughtTimes(() => now);
  times.note({ type: "reasoning-start", id: "a" });
  now = 1_200;
  times.note({ type: "reasoning-end", id: "a" });
  now = 2_000;
  times.note({ type: "reasoning-start", id: "a" });
  now = 2_500;
  expect(times.all()).toEqual([1_200, 500]);
});

it("measures a thought that a text holds up to its mark", () => {
  let now = 0;
  const times = new ThoughtTimes(() => now);
  times.note({ type: "text-start", id: "a" });
  now = 1_000;
  const providerMetadata = { grove: { thought: [0, 4] } };
  times.note({ type: "text-delta", id: "a", delta: "", providerMetadata });
  now = 3_000;
  times.note({ type: "text-end", id: "a" });
  expect(times.all()).toEqual([1_000]);
});
