import { expect, test } from "vitest";
import { intentsOf } from "./demo-intents";

test.each([
  ["My name is Ann.", [{ kind: "remember", line: "Name: Ann", toThem: "your name is Ann" }]],
  [
    "hi, my name is Ann Lee and I like tea",
    [{ kind: "remember", line: "Name: Ann Lee", toThem: "your name is Ann Lee" }],
  ],
  [
    "Remember that I prefer tea.",
    [{ kind: "remember", line: "Prefers tea", toThem: "you prefer tea" }],
  ],
  ["todo: buy milk", [{ kind: "todo", item: "buy milk" }]],
  ["Add call mum to my todos", [{ kind: "todo", item: "call mum" }]],
  ["add to my to-do list: water the plants!", [{ kind: "todo", item: "water the plants" }]],
  [
    "My name is Ann.\ntodo: buy milk",
    [
      { kind: "remember", line: "Name: Ann", toThem: "your name is Ann" },
      { kind: "todo", item: "buy milk" },
    ],
  ],
  ["Search for apple trees", [{ kind: "search", query: "apple trees", inKnowledge: false }]],
  ["search my documents for pruning", [{ kind: "search", query: "pruning", inKnowledge: true }]],
  [
    "Search our earlier chats for what we said about gardens.",
    [{ kind: "search", query: "gardens", inKnowledge: false }],
  ],
  ["Did we talk about forks?", [{ kind: "search", query: "forks", inKnowledge: false }]],
  ["do you remember the plan?", [{ kind: "search", query: "the plan", inKnowledge: false }]],
  ["look up “oak” in my knowledge", [{ kind: "search", query: "oak", inKnowledge: true }]],
  ["load skill meeting-notes", [{ kind: "load", name: "meeting-notes" }]],
  ["Please use the meeting notes skill.", [{ kind: "load", name: "meeting notes" }]],
  ["unload the meeting-notes skill", [{ kind: "unload", name: "meeting-notes" }]],
  ["unload it", [{ kind: "unload", name: "" }]],
])("reads %j", (question, intents) => {
  expect(intentsOf(question)).toEqual(intents);
});

test.each(["Hello", "What is a fork?", "I use skills at work", "Tell me about memory"])(
  "finds nothing to do in %j",
  (question) => {
    expect(intentsOf(question)).toEqual([]);
  },
);
