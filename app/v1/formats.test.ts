import { describe, expect, test } from "vitest";
import { serveV1 } from "./testing/v1-server";

const { client, models } = serveV1();

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const named = { name: "place", schema, strict: true } as const;
const question = [{ role: "user", content: "Where?" }] as const;
const oslo = '{"city":"Oslo"}';

/** Each test has a model of its own, since refusals are remembered. */
async function ask(name: string, asked: object = {}) {
  const openai = await client();
  return openai.chat.completions.create({
    model: `compatible:fake/${name}`,
    messages: [...question],
    response_format: { type: "json_schema", json_schema: named },
    ...asked,
  });
}

async function respond(name: string) {
  const openai = await client();
  return openai.responses.create({
    model: `compatible:fake/${name}`,
    input: "Where?",
    text: { format: { type: "json_schema", ...named } },
  });
}

const formats = () => models().requests.map(({ response_format: format }) => format);
const prompts = () => models().requests.map(({ messages }) => JSON.stringify(messages));

const sent = { type: "json_schema", json_schema: named };

describe("a JSON schema", () => {
  test("reaches a compatible server from both APIs", { tags: "long" }, async () => {
    models().answer = oslo;
    const completion = await ask("schema");
    expect(completion.choices[0]?.message.content).toBe(oslo);
    const response = await respond("schema");
    expect(response).toMatchObject({ status: "completed", output_text: oslo });
    expect(response.text?.format).toEqual({ type: "json_schema", ...named });
    expect(formats()).toEqual([sent, sent]);
  });

  test("loses patterns that servers make no grammar of, and answers are still compared with them", {
    tags: "long",
  }, async () => {
    const pattern = { ...schema, properties: { city: { type: "string", pattern: "^[A-Z]" } } };
    const asked = {
      response_format: { type: "json_schema", json_schema: { name: "place", schema: pattern } },
    };
    models().answer = oslo;
    await ask("pattern", asked);
    expect(formats()).toEqual([
      { type: "json_schema", json_schema: { name: "place", schema, strict: false } },
    ]);
    models().answer = '{"city":"oslo"}';
    await expect(ask("pattern", asked)).rejects.toMatchObject({ status: 422 });
  });

  test("that a server refuses is in the prompt of a second request, and of later ones at once", {
    tags: "long",
  }, async () => {
    models().answer = oslo;
    models().refuse = ({ response_format: format }) =>
      JSON.stringify(format)?.includes("json_schema")
        ? "This response_format type is unavailable now"
        : null;
    const completion = await ask("older");
    expect(completion.choices[0]?.message.content).toBe(oslo);
    await ask("older");
    expect(formats()).toEqual([{ type: "json_object" }, { type: "json_object" }]);
    for (const prompt of prompts()) expect(prompt).toContain("It must match this JSON schema");
  });

  test("is in the prompt alone for a server without any formats", async () => {
    models().answer = oslo;
    models().refuse = ({ response_format: format }) =>
      format === undefined ? null : "Unrecognized request argument supplied: response_format";
    await ask("oldest");
    expect(formats()).toEqual([undefined]);
    expect(prompts()[0]).toContain("It must match this JSON schema");
  });

  test.each(["{}", '{"city":1}', "In Oslo."])(
    "that %s does not match is an error, and of a response its failure",
    async (answer) => {
      models().answer = answer;
      const refused = {
        code: "response_format_mismatch",
        message: expect.stringMatching(/answer/),
      };
      await expect(ask("mismatch")).rejects.toMatchObject({ status: 422, ...refused });
      const response = await respond("mismatch");
      expect(response).toMatchObject({
        status: "failed",
        output_text: answer,
        error: { code: "server_error", message: expect.stringMatching(/answer/) },
      });
    },
  );

  test("that an answer does not match ends its stream with an error", async () => {
    models().answer = "{}";
    const openai = await client();
    const stream = await openai.chat.completions.create({
      model: "compatible:fake/mismatch",
      messages: [...question],
      response_format: { type: "json_schema", json_schema: named },
      stream: true,
    });
    const reading = Array.fromAsync(stream);
    await expect(reading).rejects.toMatchObject({ code: "response_format_mismatch" });
  });

  test("is checked only against answers that are whole, not against a call of a tool", async () => {
    const tools = [
      { type: "function", function: { name: "look", parameters: { type: "object" } } },
    ];
    const completion = await ask("calls", { tools });
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
  });

  test.each([
    ["refers to itself without an end", { $ref: "#" }],
    ["refers to nothing", { $ref: "#/$defs/none" }],
    ["is of another dialect", { $schema: "https://example.com/mine" }],
  ])("that %s is refused before anything is sent", async (_, unreadable) => {
    const json_schema = { name: "place", schema: unreadable };
    const asked = ask("unread", { response_format: { type: "json_schema", json_schema } });
    await expect(asked).rejects.toMatchObject({ status: 400, param: "response_format" });
    expect(models().requests).toEqual([]);
  });

  test("whose pattern takes forever is given up", { tags: "long" }, async () => {
    const properties = { city: { type: "string", pattern: "^(a+)+$" } };
    const json_schema = { name: "place", schema: { type: "object", properties } };
    models().answer = JSON.stringify({ city: `${"a".repeat(50)}b` });
    const asked = ask("forever", { response_format: { type: "json_schema", json_schema } });
    await expect(asked).rejects.toMatchObject({ status: 422 });
  });
});

test("an answer in JSON mode that is no JSON is an error", { tags: "long" }, async () => {
  models().answer = "In Oslo.";
  const asked = ask("mode", { response_format: { type: "json_object" } });
  await expect(asked).rejects.toMatchObject({ status: 422, code: "response_format_mismatch" });
});
