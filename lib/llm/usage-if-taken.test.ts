import { expect, test } from "vitest";
import { modelOf, readModel } from "@/lib/llm/testing/streamed-answer";
import { usageIfTaken } from "./usage-if-taken";

const body = JSON.stringify({ model: "m", stream_options: { include_usage: true } });
const refusal =
  '{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}';

function server(replies: readonly (Response | Error)[]) {
  const left = [...replies];
  const bodies: unknown[] = [];
  const fetch = usageIfTaken(async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    const reply = left.shift() ?? new Response("fine");
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const url = `http://server.test/${crypto.randomUUID()}`;
  return { bodies, ask: (init: RequestInit = {}) => fetch(url, { method: "POST", body, ...init }) };
}

test("a server that refuses stream_options is asked once more without, and never again with them", async () => {
  const { bodies, ask } = server([new Response(refusal, { status: 422 })]);
  expect(await (await ask()).text()).toBe("fine");
  await ask();
  expect(bodies).toEqual([JSON.parse(body), { model: "m" }, { model: "m" }]);
});

test.each([
  "Unrecognized request argument supplied: stream_options",
  "include_usage is not supported by this server",
  '{"error":{"message":"Unsupported parameter(s): `stream_options`"}}',
])("asks again after “%s”", async (words) => {
  const { bodies, ask } = server([new Response(words, { status: 400 })]);
  expect((await ask()).status).toBe(200);
  expect(bodies).toHaveLength(2);
});

test("another refusal comes back whole", async () => {
  const { bodies, ask } = server([new Response("No such model", { status: 400 })]);
  const response = await ask();
  expect([response.status, await response.text()]).toEqual([400, "No such model"]);
  expect(bodies).toHaveLength(1);
});

test("a server that repeats the request in any refusal is asked for usage again", async () => {
  const echo = () => new Response(`{"detail":"Too long","body":${body}}`, { status: 422 });
  const { bodies, ask } = server([echo(), new Response("Too long", { status: 422 })]);
  expect(await (await ask()).text()).toBe("Too long");
  expect((await ask()).status).toBe(200);
  expect(bodies).toEqual([JSON.parse(body), { model: "m" }, JSON.parse(body)]);
});

test("a connection that breaks at the second try leaves the first refusal", async () => {
  const { bodies, ask } = server([new Response(refusal, { status: 422 }), new Error("reset")]);
  const response = await ask();
  expect([response.status, await response.text()]).toEqual([422, refusal]);
  await ask();
  expect(bodies.at(-1)).toEqual(JSON.parse(body));
});

test("a stop at the second try is no refusal", async () => {
  const { ask } = server([new Response(refusal, { status: 422 }), new Error("stopped")]);
  await expect(ask({ signal: AbortSignal.abort("stop") })).rejects.toBe("stop");
});

test.each(["compatible", "chat"] as const)(
  "the %s package's requests are read",
  async (protocol) => {
    const bodies: string[] = [];
    const fetch: typeof globalThis.fetch = async (_, init) => {
      bodies.push(String(init?.body));
      return new Response(refusal, { status: 422 });
    };
    await readModel(modelOf(protocol, { fetch, baseUrl: `http://${protocol}.test/v1` }));
    const [first, second] = bodies.map((sent) => JSON.parse(sent));
    const { stream_options, ...others } = first;
    expect(stream_options).toEqual({ include_usage: true });
    expect(second).toEqual(others);
  },
);
