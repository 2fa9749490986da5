import type { UIMessageChunk } from "ai";
import type { SessionMessagePart } from "grove-session";
import { expect, test } from "vitest";
import { answerParts } from "./answer-message";
import { goingOn, keptChunks, keptParts, writtenSince } from "./kept-answer";

const call = {
  type: "tool-web_search",
  toolCallId: "c1",
  state: "output-available",
  input: { query: "tea" },
  output: { results: [] },
  title: "Search",
};
const failed = {
  ...call,
  toolCallId: "c2",
  state: "output-error",
  output: undefined,
  errorText: "No",
};
const unfinished = { ...call, toolCallId: "c3", state: "input-available", output: undefined };
const cut: SessionMessagePart[] = [
  { type: "step-start" },
  { type: "reasoning", text: "Hm", state: "done" },
  { type: "text", text: "I look.", state: "done" },
  call,
  { ...failed, type: "dynamic-tool", toolName: "other" },
  { type: "step-start" },
  { type: "text", text: "The kettle", state: "done" },
  unfinished,
];

async function* stream(...chunks: UIMessageChunk[]) {
  yield* chunks;
}

const written: UIMessageChunk[] = [
  { type: "start-step" },
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: "So", providerMetadata: { test: { sign: "x" } } },
  { type: "reasoning-end", id: "r" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "is on." },
  { type: "text-end", id: "t" },
  { type: "finish-step" },
];

test("keeps finished calls, not those without a result", () => {
  expect(keptParts({ parts: cut })).toEqual(cut.slice(0, -1));
  expect(keptParts({ parts: [{ type: "step-start" }, unfinished] })).toEqual([]);
});

test("reads from its chunks as it was stored", async () => {
  const kept = keptParts({ parts: cut });
  const read = await answerParts(keptChunks(kept));
  expect(read).toMatchObject(JSON.parse(JSON.stringify(kept)));
  expect(read).toHaveLength(kept.length);
});

test("goes on in the text that was cut off", async () => {
  const kept = keptParts({ parts: cut });
  const chunks = await Array.fromAsync(goingOn(stream(...written), kept, { repeats: true }));
  const all = await answerParts([...keptChunks(kept), ...chunks]);
  expect(all.slice(0, 6)).toMatchObject(JSON.parse(JSON.stringify(kept.slice(0, 6))));
  expect(all.slice(6)).toMatchObject([
    { type: "text", text: "The kettle is on.", state: "done" },
    { type: "reasoning", text: "So", state: "done", providerMetadata: undefined },
  ]);
  expect(writtenSince(kept, all)).toMatchObject([{ text: " is on." }, { text: "So" }]);
});

test("ends the text before a call, and begins a new one after it", async () => {
  const kept: SessionMessagePart[] = [{ type: "text", text: "The kettle" }];
  const chunks: UIMessageChunk[] = [
    { type: "start-step" },
    { type: "tool-input-available", toolCallId: "c", toolName: "look", input: {} },
    { type: "finish-step" },
    { type: "start-step" },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "It is on." },
    { type: "text-end", id: "t" },
  ];
  const next = await Array.fromAsync(goingOn(stream(...chunks), kept, { repeats: true }));
  const all = await answerParts([...keptChunks(kept), ...next]);
  expect(all.map(({ type, text }) => [type, text])).toEqual([
    ["text", "The kettle"],
    ["tool-look", undefined],
    ["step-start", undefined],
    ["text", "It is on."],
  ]);
});

test("goes on after a call as any next step does", async () => {
  const next = await Array.fromAsync(goingOn(stream(...written), [call], { repeats: true }));
  expect(next).toEqual(written);
});

const thought: UIMessageChunk[] = [
  { type: "start-step" },
  { type: "text-start", id: "a" },
  { type: "text-delta", id: "a", delta: " the person waits." },
  { type: "text-end", id: "a", providerMetadata: { grove: { meant: "reasoning" } } },
  { type: "text-start", id: "b" },
  { type: "text-delta", id: "b", delta: "The kettle " },
  { type: "text-delta", id: "b", delta: "is on." },
  { type: "text-end", id: "b" },
  { type: "finish-step" },
];

async function goneOn(kept: readonly SessionMessagePart[]): Promise<unknown[]> {
  const next = await Array.fromAsync(goingOn(stream(...thought), kept, { repeats: true }));
  const parts = await answerParts([...keptChunks(kept), ...next]);
  return parts.flatMap(({ type, text }) => (text === undefined ? [] : [`${type}: ${text}`]));
}

const step: SessionMessagePart = { type: "step-start" };

test("text that went on up to a closing tag is one thought", async () => {
  expect(await goneOn([step, { type: "text", text: "So" }])).toEqual([
    "reasoning: So the person waits.",
    "text: The kettle is on.",
  ]);
});

test("text after a thought goes on as text, without the thought that came before the rest", async () => {
  const before = { type: "reasoning", text: "Hm" };
  expect(await goneOn([step, before, { type: "text", text: "I see: The kettle" }])).toEqual([
    "reasoning: Hm",
    "text: I see: The kettle is on.",
    "reasoning:  the person waits.",
  ]);
});

test("a thought of an earlier step says nothing of the text that goes on", async () => {
  const earlier = [step, { type: "reasoning", text: "Hm" }, call, step];
  expect(await goneOn([...earlier, { type: "text", text: "So" }])).toEqual([
    "reasoning: Hm",
    "reasoning: So the person waits.",
    "text: The kettle is on.",
  ]);
});
