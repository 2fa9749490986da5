import { expect, test } from "vitest";
import { usageIfTaken } from "./usage-if-taken";

const body = JSON.stringify({ model: "m", stream_options: { include_usage: true } });
const refusal =
  '{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}';

function server(replies: readonly Response[]) {
  const left = [...replies];
  const bodies: unknown[] = [];
  const fetch = usageIfTaken(async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return left.shift() ?? new Response("fine");
  });
  const url = `http://server.test/${crypto.randomUUID()}`;
  return { bodies, ask: () => fetch(url, { method: "POST", body }) };
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
