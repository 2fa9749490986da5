import { generateText, isStepCount, type ToolSet, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { z } from "zod";
import { plainCallErrors } from "./plain-call-errors";

const inputSchema = z.strictObject({
  query: z.string().min(2).max(5),
  days: z.int().min(1).optional(),
  kind: z.enum(["news", "all"]).optional(),
  share: z.number().positive().lt(1).optional(),
  city: z.enum(Array.from({ length: 500 }, (_, n) => `c${n}`)).optional(),
  places: z
    .array(z.object({ name: z.string() }))
    .min(1)
    .optional(),
  link: z.url().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  even: z
    .number()
    .refine((value) => value % 2 === 0)
    .optional(),
});
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The result that the model reads in its next step. */
async function sentFor(
  input: string,
  toolName = "look_up",
  others: ToolSet = {},
): Promise<unknown> {
  let calls = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: calls++ === 0 ? [{ type: "tool-call", toolCallId: "1", toolName, input }] : [],
      finishReason: { unified: calls === 1 ? "tool-calls" : "stop", raw: undefined },
      usage,
      warnings: [],
    }),
  });
  const tools = { look_up: tool({ inputSchema, execute: () => "Found." }), ...others };
  const stopWhen = isStepCount(2);
  await generateText({ model, prompt: "Q", tools, repairToolCall: plainCallErrors, stopWhen });
  const results = model.doGenerateCalls[1]?.prompt.at(-1)?.content;
  const [result] = Array.isArray(results) ? results : [];
  return typeof result === "object" && result.type === "tool-result" ? result.output : null;
}

test.each([
  ["{}", "“query” is missing"],
  ["", "“query” is missing"],
  ['{"query":', "its input is not valid JSON"],
  ["[]", "its input must be an object"],
  ["null", "its input must be an object"],
  ['{"query":7}', "“query” must be text"],
  ['{"query":"a"}', "“query” needs at least 2 characters"],
  ['{"query":"abcdef"}', "“query” takes at most 5 characters"],
  ['{"query":"abc","days":1.5}', "“days” must be a whole number"],
  ['{"query":"abc","days":0}', "“days” needs at least 1"],
  ['{"query":"abc","kind":"old"}', '“kind” must be "news" or "all"'],
  ['{"query":"abc","share":0}', "“share” must be more than 0"],
  ['{"query":"abc","share":1}', "“share” must be less than 1"],
  [
    '{"query":"abc","city":"x"}',
    `“city” must be one of ${Array.from({ length: 20 }, (_, n) => `"c${n}"`).join(", ")}, and 480 more`,
  ],
  [
    `{"query":"abc",${Array.from({ length: 22 }, (_, n) => `"k${n}":1`)}}`,
    `${Array.from({ length: 20 }, (_, n) => `“k${n}”`).join(", ")}, and 2 more cannot be given`,
  ],
  ['{"query":"abc","places":[]}', "“places” needs at least 1 items"],
  ['{"query":"abc","places":[{}]}', "“places.0.name” is missing"],
  ['{"query":"abc","link":"here"}', "“link” has the wrong format"],
  ['{"query":"abc","either":true}', "“either” does not fit"],
  ['{"query":"abc","even":3}', "“even” does not fit"],
  ['{"query":"abc","other":1,"more":2}', "“other”, “more” cannot be given"],
  ['{"days":"7"}', "“query” is missing, “days” must be a number"],
])("names what is wrong in %s", async (input, wrong) => {
  expect(await sentFor(input)).toEqual({
    type: "error-text",
    value: `look_up was not called: ${wrong}.`,
  });
});

test("names the tools in place of an unknown one", async () => {
  const value = "There is no tool called look. The tools are: look_up.";
  expect(await sentFor("{}", "look")).toEqual({ type: "error-text", value });
});

test("names 30 of many tools", { tags: "long" }, async () => {
  const names = Array.from({ length: 499 }, (_, n) => `tool_${n}`);
  const other = tool({ inputSchema, execute: () => "Found." });
  const sent = await sentFor("{}", "look", Object.fromEntries(names.map((name) => [name, other])));
  const first = names.slice(0, 29).join(", ");
  const value = `There is no tool called look. The tools are: look_up, ${first}, and 470 more.`;
  expect(sent).toEqual({ type: "error-text", value });
});
