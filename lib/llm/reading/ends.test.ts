import { expect, test } from "vitest";
import { Ends } from "./ends";

const word = { words: true, reason: false };
const reason = { words: false, reason: true };
const both = { words: true, reason: true };

test.each([
  ["without a reason", [word, word], "no"],
  ["with a reason of its own after the words", [word, reason], "surely"],
  ["with the reason repeated", [word, reason, reason], "surely"],
  ["with the reason beside the last words", [word, both], "maybe"],
  ["with the reason beside the last words and again", [word, both, reason], "surely"],
  ["with a reason beside all words", [both, both, both], "maybe"],
  ["with a reason before the words", [reason, reason], "maybe"],
  ["with a reason before and after the words", [reason, word, reason], "maybe"],
  ["with words after the reason", [word, reason, word, reason], "maybe"],
] as const)("An answer %s is over as far as one can tell", (_, events, state) => {
  const ends = new Ends();
  for (const event of events) ends.note(event);
  expect(ends.state).toBe(state);
});
