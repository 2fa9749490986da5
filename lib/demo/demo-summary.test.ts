import { expect, test } from "vitest";
import { demoSummary } from "./demo-summary";

const conversation = [
  "Summarize this conversation.",
  "user: How do branches work?",
  `assistant: ${"They share everything before the message they leave at. ".repeat(10)}`,
  "user: And forks?",
  `assistant: A fork is a new session. ${"It never changes when its source does. ".repeat(10)}`,
].join("\n");

test("uses the four headings and the conversation's own sentences", () => {
  const summary = demoSummary(conversation);
  expect(summary.match(/^## .+$/gm)).toEqual([
    "## Topic",
    "## Key Points",
    "## Current State",
    "## Open Items",
  ]);
  expect(summary).toContain("## Topic\nHow do branches work?");
  expect(summary).toContain("A fork is a new session.");
});

test("is shorter than what it summarizes", () => {
  expect(demoSummary(conversation).length).toBeLessThan(conversation.length / 2);
});

test("carries over the points of an earlier summary", () => {
  const earlier = `Previous summary:\n## Key Points\n- Ann likes tea\n\n${conversation}\n${"x ".repeat(900)}`;
  expect(demoSummary(earlier)).toContain("- Ann likes tea");
});

test("is still a summary when nobody is named as speaking", () => {
  expect(demoSummary("just some text")).toContain("## Topic");
});

test.each([
  "user: How?\nassistant: So.",
  "**User:** How?\n**Assistant:** So.",
  "[user] How?\n[assistant] So.",
  "### User\nHow?\n### Assistant\nSo.",
  '<message role="user">How?\n<message role="assistant">So.',
])("reads who says what in %j", (transcript) => {
  const summary = demoSummary(transcript);
  expect(summary).toContain("## Topic\nHow?");
  expect(summary).toContain("## Current State\nSo.");
});
