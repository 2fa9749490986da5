import { expect, it } from "vitest";
import { messageText } from "@/app/_data/chat/message-text";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { shownParts, sourcesOf, storedParts } from "./message-parts";
import { outputWords, toolWords } from "./tool-words";

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
    { verb: "Could not call", object: "weather report" },
  ]);
});

it("says that a stored call without a result was asked for, not that it runs", () => {
  const call = { type: "dynamic-tool", toolName: "get_weather", toolCallId: "c", input: {} };
  const parts = [{ ...call, state: "input-available" }];
  const [shown] = storedParts({ id: "m", role: "assistant", parts } as GroveMessage);
  if (shown?.kind !== "tool") throw new Error("The message has a call.");
  expect(toolWords(shown.call)).toEqual({ verb: "Asked to call", object: "get weather" });
});

/** A call of `set_context` on memory, as it is shown. */
function write(output: unknown) {
  const part = {
    type: "tool-set_context",
    toolCallId: "w",
    state: "output-available",
    input: { label: "memory" },
    output,
  };
  const [shown] = shownParts({ id: "m", role: "assistant", parts: [part] } as GroveMessage);
  if (shown?.kind !== "tool") throw new Error("The message has a call.");
  return shown.call;
}

const written = write({ outcome: "written", label: "memory", tokens: 9, maxTokens: 500 });
const unchanged = write({ outcome: "unchanged", label: "memory" });
const proposed = write({ outcome: "proposed", label: "memory" });
const refused = write({ outcome: "refused", reason: "It is full." });

it("says what became of a write", () => {
  expect([written, unchanged, proposed, refused].map(toolWords)).toEqual([
    { verb: "Wrote to", object: "Memory" },
    { verb: "Nothing new for", object: "Memory" },
    { verb: "Proposed a change to", object: "Memory" },
    { verb: "Could not write to", object: "Memory" },
  ]);
  expect(refused).toMatchObject({ state: "failed", errorText: "It is full." });
  expect(outputWords(written)).toBe("Written. Now 9 of 500 tokens.");
});

it("shows an output that was stored as text as it is", () => {
  expect(outputWords(write("Written to memory."))).toBe("Written to memory.");
});

it("copies the text alone", () => {
  expect(messageText(message)).toBe("Hello\n\nthere");
});

it("says that a document could not be loaded", () => {
  const part = {
    type: "tool-load_context",
    toolCallId: "l",
    state: "output-available",
    input: { label: "skills", key: "tea" },
    output: { outcome: "refused", reason: "Not found: tea" },
  };
  const message = { id: "m", role: "assistant", parts: [part] } as GroveMessage;
  expect(shownParts(message)).toMatchObject([
    { call: { state: "failed", errorText: "Not found: tea" } },
  ]);
});

it("names the address of a file that is kept elsewhere, and only one on the web", () => {
  const file = (url: string) => ({ type: "file" as const, mediaType: "image/png", url });
  const urls = ["https://tea.example/pot.png", "data:image/png;base64,aaaa", "javascript:alert(1)"];
  const shown = shownParts({ ...message, parts: urls.map(file) });
  expect(shown).toMatchObject([
    { kind: "file", name: "Image", address: "https://tea.example/pot.png" },
    { kind: "file", name: "Image", address: null },
    { kind: "file", name: "Image", address: null },
  ]);
});

it("names as sources the pages that were read and the results that the answer mentions, each once", () => {
  const tool = (name: string, output: unknown) => ({
    type: `tool-${name}` as const,
    toolCallId: name,
    state: "output-available" as const,
    input: {},
    output,
  });
  const results = [
    { title: "Green", url: "https://tea.example/green" },
    { title: "Black", url: "https://tea.example/black" },
    { title: "Script", url: "javascript:alert(1)" },
  ];
  const parts = [
    tool("web_search", { results }),
    tool("read_page", { url: "https://tea.example/white", title: "White" }),
    tool("read_page", { url: "javascript:alert(1)", title: "Script" }),
    { type: "source-url", sourceId: "1", url: "https://tea.example/white", title: "Again" },
    { type: "text", text: "See https://tea.example/green and javascript:alert(1)." },
  ] as GroveMessage["parts"];
  expect(sourcesOf({ parts })).toEqual([
    { address: "https://tea.example/green", title: "Green" },
    { address: "https://tea.example/white", title: "Again" },
  ]);
});
