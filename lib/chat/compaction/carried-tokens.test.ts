import type { SessionMessage, SessionMessagePart } from "grove-session";
import { assistant, toolCall, user } from "grove-session/testing";
import { describe, expect, test } from "vitest";
import { carriedTokens, tokenScale } from "./carried-tokens";

const answer = (id: string, metadata: SessionMessage["metadata"]): SessionMessage => ({
  ...assistant(id, "An answer"),
  metadata,
});
const skill = { label: "skills", key: "packing" };
const measured = (model: string, reported: number) => ({
  model,
  input: { estimated: 1_000, reported },
});

describe("what a call carries", () => {
  test("is prompt, tools, messages and skills together", async () => {
    const prompt = "word ".repeat(100);
    const history = [user("q1", "word ".repeat(50)), assistant("a1", "word ".repeat(50))];
    const carried = await carriedTokens({
      prompt,
      tools: {},
      messages: history,
      skillTokens: [7],
      model: "m",
    });
    expect(carried).toEqual({
      prompt: 130,
      tools: 0,
      messages: 138,
      summaries: 0,
      skills: [7],
      total: 275,
      scale: 1,
    });
  });

  test("counts the document of a loaded skill once", async () => {
    const document = { ...toolCall("load_context", skill, "word ".repeat(1_000)) };
    const tokens = async (part: SessionMessagePart) => {
      const messages = [user("q1"), assistant("a1", "Read", part)];
      const given = { prompt: "", tools: {}, messages, skillTokens: [1_300], model: "m" };
      return (await carriedTokens(given)).total;
    };
    expect(await tokens(document)).toBe(await tokens({ ...document, output: "" }));
  });

  test("is what the model counted for the newest answer, where it has said so", async () => {
    const history = [
      answer("a1", measured("m", 2_000)),
      answer("a2", measured("m", 1_200)),
      answer("a3", measured("other", 900)),
      user("q4"),
    ];
    expect(tokenScale(history, "m")).toBe(1.2);
    expect(tokenScale(history, "unknown")).toBe(1);
    const given = {
      prompt: "word ".repeat(100),
      tools: {},
      messages: [],
      skillTokens: [],
      model: "m",
    };
    const plain = await carriedTokens(given);
    const scaled = await carriedTokens({ ...given, messages: history });
    expect([plain.prompt, scaled.prompt]).toEqual([130, 156]);
  });

  test.each([
    [0, 1],
    [10, 0.5],
    [90_000, 2.5],
  ])("of a server that counted %d for 1,000 is scaled by %d", (reported, scale) => {
    expect(tokenScale([answer("a", measured("m", reported))], "m")).toBe(scale);
  });
});
