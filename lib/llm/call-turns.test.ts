import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { callsWithoutThoughts } from "./call-turns";

type Message = LanguageModelV4Prompt[number];
type Part = Extract<Message, { role: "assistant" }>["content"][number];

const question: Message = { role: "user", content: [{ type: "text", text: "q" }] };
const call: Part = { type: "tool-call", toolCallId: "c", toolName: "t", input: {} };
const signed: Part = { ...call, providerOptions: { google: { thoughtSignature: "s" } } };
const thought: Part = { type: "reasoning", text: "Hm" };
const text: Part = { type: "text", text: "a" };

function said(...content: Part[]): Message {
  return { role: "assistant", content };
}

test.each<[string, number[], Message[]]>([
  ["a call without thoughts", [1], [question, said(call)]],
  ["a call with them", [], [question, said(thought, call)]],
  ["a signed call", [], [question, said(signed)]],
  ["a turn whose end has none", [1], [question, said(thought, call), said(text)]],
  ["a turn without calls", [], [question, said(text)]],
  ["each turn alone", [3], [question, said(thought, call), question, said(call)]],
  ["a call of the provider's own", [], [question, said({ ...call, providerExecuted: true })]],
])("%s", (_, indexes, prompt) => {
  expect([...callsWithoutThoughts(prompt)]).toEqual(indexes);
});
