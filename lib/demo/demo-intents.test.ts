import { expect, test } from "vitest";
import { factOf, intentsOf } from "./demo-intents";

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

test.each([
  ["I drink oolong tea", "Drinks oolong tea", "you drink oolong tea"],
  ["I usually work from home", "Usually works from home", "you usually work from home"],
  [
    "I prefer short answers and metric units",
    "Prefers short answers and metric units",
    "you prefer short answers and metric units",
  ],
  ["I'm allergic to nuts", "Is allergic to nuts", "you are allergic to nuts"],
  ["I have two cats", "Has two cats", "you have two cats"],
  ["my dog is called Rex", "My dog is called Rex", "your dog is called Rex"],
  ["I moved to Berlin", "I moved to Berlin", "you moved to Berlin"],
  ["I like tea when I work", "I like tea when I work", "you like tea when you work"],
  ["the kettle is blue", "The kettle is blue", "the kettle is blue"],
  ["ich mag Tee", "Ich mag Tee", "ich mag Tee"],
])("of %j keeps %j and says %j", (sentence, line, toThem) => {
  expect(factOf(sentence)).toEqual({ line, toThem });
});
