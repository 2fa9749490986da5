import { expect, it } from "vitest";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { shownParts } from "./message-parts";
import { messageText } from "./message-text";
import { isSaidBelow, toolWords } from "./tool-words";

const message: GroveMessage = {
  id: "a1",
  role: "assistant",
  parts: [
    { type: "step-start" },
    { type: "reasoning", text: "First.", state: "done" },
    { type: "reasoning", text: "Second.", state: "done" },
    {
      type: "tool-set_context",
      toolCallId: "1",
      state: "output-available",
      input: { label: "memory" },
      output: "Written to memory.",
    },
    {
      type: "dynamic-tool",
      toolName: "weather_report",
      toolCallId: "2",
      state: "output-error",
      input: {},
      errorText: "No sky.",
    },
    { type: "text", text: "" },
    { type: "text", text: "Hello" },
    { type: "text", text: "there" },
  ],
};

it("joins neighbouring thoughts and leaves out what steers the model", () => {
  expect(shownParts(message).map(({ kind }) => kind)).toEqual([
    "reasoning",
    "tool",
    "tool",
    "text",
    "text",
  ]);
  expect(shownParts(message)[0]).toMatchObject({ text: "First.\n\nSecond." });
});

it("says what a tool did, to what, and whether it went well", () => {
  const words = shownParts(message).flatMap((part) =>
    part.kind === "tool" ? [toolWords(part.call)] : [],
  );
  expect(words).toEqual([
    { verb: "Wrote to", object: "Memory" },
    { verb: "Could not use", object: "weather report" },
  ]);
});

it("says of a call that it wrote nothing where that was there already", () => {
  const call = { id: "c", name: "set_context", state: "done", errorText: null } as const;
  const already = { ...call, input: { label: "memory" }, output: "Already in memory." };
  expect(toolWords(already)).toEqual({ verb: "Nothing new for", object: "Memory" });
});

it("knows which calls wrote what is said under the answer", () => {
  const [write, other] = shownParts(message).flatMap((part) =>
    part.kind === "tool" ? [part.call] : [],
  );
  if (!write || !other) throw new Error("The message has two calls.");
  const metadata = { writes: [{ label: "memory", version: 2 }] };
  expect(isSaidBelow(write, metadata)).toBe(true);
  expect(isSaidBelow(other, metadata)).toBe(false);
  expect(isSaidBelow(write, {})).toBe(false);
  expect(isSaidBelow({ ...write, state: "failed" }, metadata)).toBe(false);
  expect(isSaidBelow({ ...write, output: "Already in memory." }, metadata)).toBe(false);
  const proposed = { ...write, output: "Proposed for memory." };
  expect(isSaidBelow(proposed, metadata)).toBe(false);
  const lines = { added: 1, removed: 0 };
  const wish = { id: "p", label: "memory", lines };
  expect(isSaidBelow(proposed, { proposals: [wish] })).toBe(true);
});

it("copies the text alone", () => {
  expect(messageText(message)).toBe("Hello\n\nthere");
});
