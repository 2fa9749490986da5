import { expect, test } from "vitest";
import { fetchV1, serveV1 } from "./testing/v1-server";

const { keyWith, models } = serveV1();
const model = "compatible:fake/echo";
const messages = [{ role: "user", content: "Hello" }];
const requests = {
  "/responses": { model, input: "Hello" },
  "/chat/completions": { model, messages },
  "/messages": { model, messages, max_tokens: 100 },
} as const;
type Api = keyof typeof requests;
const openaiApis = ["/responses", "/chat/completions"] as const satisfies Api[];

async function ask(api: Api, more: object = {}) {
  const { secret } = await keyWith();
  const response = await fetchV1(`http://grove.test/v1${api}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    body: JSON.stringify({ ...requests[api], ...more }),
  });
  return { status: response.status, text: await response.text() };
}

const lasting = [
  ["This model's maximum context length is 10 tokens.", "context_length_exceeded", /does not fit/],
  ["The field “seed” is not for this model.", "invalid_prompt", /seed/],
] as const;

for (const api of openaiApis) {
  test.each(lasting)(`a provider's 400 is one of ${api}: %s`, async (message, code, words) => {
    models().refuse = () => message;
    const { status, text } = await ask(api);
    expect({ status, ...JSON.parse(text) }).toEqual({
      status: 400,
      error: {
        ...{ type: "invalid_request_error", code, param: null },
        message: expect.stringMatching(words),
      },
    });
  });

  test(`a stream of ${api} says that its prompt is too long, by the code`, async () => {
    models().refuse = () => lasting[0][0];
    const { text } = await ask(api, { stream: true });
    expect(text).toContain('"code":"context_length_exceeded"');
  });

  test.each([401, 403])(
    `a provider's %i is a 502 of ${api}, as no key of the program's failed`,
    async (refused) => {
      models().refuse = () => "The key is not valid.";
      models().refusalStatus = refused;
      const { status, text } = await ask(api);
      expect({ status, ...JSON.parse(text) }).toMatchObject({
        ...{ status: 502, error: { type: "server_error", code: "bad-key" } },
      });
    },
  );
}

test.each([401, 403])("a provider's %i is an error of Anthropic's API", async (refused) => {
  models().refuse = () => "The key is not valid.";
  models().refusalStatus = refused;
  const { status, text } = await ask("/messages");
  expect({ status, ...JSON.parse(text) }).toMatchObject({
    ...{ status: 502, type: "error", error: { type: "api_error" } },
  });
});
