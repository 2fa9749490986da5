import { expect, it } from "vitest";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { shownParts } from "./message-parts";
import { messageText } from "./message-text";
import { toolWords } from "./tool-words";

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
    { verb: "Wrote to", object: "memory" },
    { verb: "Could not use", object: "weather report" },
  ]);
});

it("copies the text alone", () => {
  expect(messageText(message)).toBe("Hello\n\nthere");
});
