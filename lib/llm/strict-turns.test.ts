import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { inStrictTurns } from "./strict-turns";

function user(...texts: string[]): LanguageModelV4Message {
  return { role: "user", content: texts.map((text) => ({ type: "text", text })) };
}

function answer(...texts: string[]): LanguageModelV4Message {
  return { role: "assistant", content: texts.map((text) => ({ type: "text", text })) };
}

function call(toolCallId: string, ...texts: string[]): LanguageModelV4Message {
  const content = texts.map((text) => ({ type: "text", text }) as const);
  const made = { type: "tool-call", toolCallId, toolName: "search", input: { q: 1 } } as const;
  return { role: "assistant", content: [...content, made] };
}

function result(toolCallId: string, value: string): LanguageModelV4Message {
  const output = { type: "text", value } as const;
  return {
    role: "tool",
    content: [{ type: "tool-result", toolCallId, toolName: "search", output }],
  };
}

const thought: LanguageModelV4Message = {
  role: "assistant",
  content: [
    { type: "reasoning", text: "Hm" },
    { type: "text", text: "a1" },
  ],
};

describe("inStrictTurns", () => {
  it("sends neighbouring questions as one, with one text", () => {
    expect(inStrictTurns([user("one", "two"), user("three"), answer("a")])).toEqual([
      user("one\n\ntwo\n\nthree"),
      answer("a"),
    ]);
  });

  it("keeps the order of texts and images", () => {
    const image = {
      type: "file",
      mediaType: "image/png",
      data: { type: "data", data: new Uint8Array([1]) },
    } as const;
    const [message] = inStrictTurns([
      { role: "user", content: [{ type: "text", text: "see" }, image] },
      user("and", "say"),
    ]);
    expect(message?.content).toEqual([
      { type: "text", text: "see" },
      image,
      { type: "text", text: "and\n\nsay" },
    ]);
  });

  it("sends neighbouring answers as one, with a gap between their texts", () => {
    expect(inStrictTurns([user("q"), answer("one"), answer("two")])).toEqual([
      user("q"),
      answer("one", "\n\n", "two"),
    ]);
  });

  it("sends instructions as one message", () => {
    expect(
      inStrictTurns([
        { role: "system", content: "Be calm." },
        { role: "system", content: "Be brief." },
        user("q"),
      ])[0],
    ).toEqual({ role: "system", content: "Be calm.\n\nBe brief." });
  });

  it("gives calls and their results ids of nine letters and digits, the same each time", () => {
    const prompt = [
      user("q"),
      call("call_x-1"),
      result("call_x-1", "found"),
      answer("a"),
      user("q2"),
    ];
    const ids = inStrictTurns(prompt).flatMap(({ content }) =>
      typeof content === "string"
        ? []
        : content.flatMap((part) => ("toolCallId" in part ? part.toolCallId : [])),
    );
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(inStrictTurns(prompt)).toEqual(inStrictTurns([...prompt]));
  });

  it("tells results that no answer follows as a note in the next question", () => {
    expect(
      inStrictTurns([user("q"), call("c1", "Let me see."), result("c1", "found"), user("q2")]),
    ).toEqual([
      user("q"),
      answer("Let me see."),
      user('(The tool search was called with {"q":1}. Result: found)\n\nq2'),
    ]);
  });

  it.each<[string, LanguageModelV4Message]>([
    ["of thoughts alone", { role: "assistant", content: [{ type: "reasoning", text: "Hm" }] }],
    ["without any part", { role: "assistant", content: [] }],
  ])("tells results before an answer %s as a note, too", (_, empty) => {
    const prompt = [user("q"), call("c1"), result("c1", "found"), empty, user("q2")];
    expect(inStrictTurns(prompt)).toEqual([
      user('q\n\n(The tool search was called with {"q":1}. Result: found)\n\nq2'),
    ]);
  });

  it("tells all steps that no answer follows as notes", () => {
    const prompt = [user("q"), call("c1"), result("c1", "a"), call("c2"), result("c2", "b")];
    expect(inStrictTurns([...prompt, user("q2")]).map(({ role }) => role)).toEqual(["user"]);
    expect(inStrictTurns(prompt)).toHaveLength(5);
  });

  it("tells 8,000 such steps as one note", () => {
    const steps = Array.from({ length: 8_000 }, (_, n) => [call(`c${n}`), result(`c${n}`, "a")]);
    expect(inStrictTurns([user("q"), ...steps.flat(), user("q2")])).toHaveLength(1);
  });

  it("keeps the results before steps that an answer follows", () => {
    const steps = [call("c1"), result("c1", "a"), call("c2"), result("c2", "b"), answer("a")];
    const prompt = inStrictTurns([user("q"), ...steps, user("q2")]);
    const roles = ["user", "assistant", "tool", "assistant", "tool", "assistant", "user"];
    expect(prompt.map(({ role }) => role)).toEqual(roles);
  });

  it("reads a result that was stored without its text", () => {
    const output = { type: "error-text", value: undefined as unknown as string } as const;
    const part = { type: "tool-result", toolCallId: "c1", toolName: "search", output } as const;
    const prompt = inStrictTurns([user("q"), call("c1"), { role: "tool", content: [part] }]);
    expect(prompt[2]?.content).toMatchObject([{ output: { value: "(no output)" } }]);
  });

  it("keeps the results of a turn that goes on", () => {
    const prompt = inStrictTurns([user("q"), call("c1"), result("c1", " ")]);
    expect(prompt.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(prompt[2]?.content).toMatchObject([{ output: { value: "(no output)" } }]);
  });

  it("sends only the thoughts of the present turn", () => {
    expect(inStrictTurns([user("q"), thought, user("q2"), thought])).toEqual([
      user("q"),
      answer("a1"),
      user("q2"),
      thought,
    ]);
  });

  it("keeps the thoughts of an earlier turn with calls", () => {
    const prompt = [user("q"), call("callno123"), result("callno123", "a"), thought, user("q2")];
    expect(inStrictTurns(prompt)[3]).toEqual(thought);
  });
});
