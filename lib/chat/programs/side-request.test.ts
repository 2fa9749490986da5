import { expect, it } from "vitest";
import { isSideRequest, type RequestForm } from "./side-request";

function asks(text: string, change: Partial<RequestForm> = {}): boolean {
  const messages = [{ role: "user" as const, parts: [{ type: "text", text }] }];
  return isSideRequest({
    ...{ messages, instructions: [], hasTools: false, maxTokens: null },
    ...change,
  });
}

it.each([
  ["a title", "Generate a concise, 3-5 word title with an emoji summarizing the chat history."],
  ["a commit message", "Write a short commit message for this diff:\n+ const a = 1;"],
  ["a summary of the conversation", "Summarize this coding conversation in under 50 characters."],
])("recognizes a request for %s", (_, text) => {
  expect(asks(text)).toBe(true);
});

it("recognizes it by instructions and few tokens", () => {
  const instructions = ["You write a title for the message of the user. Create a title, no more."];
  expect(asks("How do trees drink?", { instructions, maxTokens: 32 })).toBe(true);
  expect(asks("How do trees drink?", { instructions })).toBe(false);
});

it("recognizes a task and what it is about in two messages", () => {
  const texts = ["Generate a title for this conversation:\n", "Make a file made.txt with hi in it"];
  const messages = texts.map((text) => ({
    role: "user" as const,
    parts: [{ type: "text", text }],
  }));
  const instructions = [
    "You output a title and nothing else. A single line of at most 50 characters.",
  ];
  expect(asks("", { messages, instructions })).toBe(true);
});

it.each([
  "Give me a short title for my essay about rivers.",
  "Suggest five names, each of 2 words, and a headline for a bakery.",
  "Write a concise headline: tea prices rise.",
  "Create a brief topic list for a course on bees.",
  "Generate 10 short title ideas for my novel.",
  "Summarize this article in 50 words: rivers rise.",
  "Provide a short summary of the French Revolution.",
  "Come up with a one-line title for the painting I describe.",
])("leaves what a person may ask in the chats: %s", (text) => {
  expect(asks(text)).toBe(false);
  expect(asks(text, { instructions: ["You are a helpful assistant. Be concise."] })).toBe(false);
});

it("is no question of a conversation", () => {
  const title = "Generate a short title for this chat.";
  expect(asks("Which trees keep their leaves?", { maxTokens: 100 })).toBe(false);
  expect(asks("Write a short story about a title fight.")).toBe(false);
  expect(asks(title, { hasTools: true })).toBe(false);
  const turns = ["user", "assistant", "user"] as const;
  const messages = turns.map((role) => ({ role, parts: [{ type: "text", text: title }] }));
  expect(asks(title, { messages })).toBe(false);
});
