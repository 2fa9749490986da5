import { expect, test } from "vitest";
import { tolerantFetch } from "./tolerant-fetch";

/** Messages that the SDK receives for a call, answered by a stream of these pieces. */
async function received(pieces: Iterable<string>): Promise<Record<string, unknown>[]> {
  const encoder = new TextEncoder();
  const waiting = pieces[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const { value, done } = waiting.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const fetch = tolerantFetch(async () => new Response(body, { headers }), { probeMs: 1_000 });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "go" } };
  const text = await (await fetch("http://a", { body: JSON.stringify(call) })).text();
  return text.split("\n").flatMap((line) => {
    return line.startsWith("data: ") ? [JSON.parse(line.slice("data: ".length))] : [];
  });
}

const answer = (result: unknown) => ({ jsonrpc: "2.0", id: 1, result });
const said = (text: string) => answer({ content: [{ type: "text", text }] });

test.each(["\u2028", "\u2029", "\u0085", "\u000B", "\u2028\u2029"])(
  "a line may hold %j",
  async (sign) => {
    const message = said(`one${sign}two`);
    expect(await received([`data: ${JSON.stringify(message)}\n\n`])).toEqual([message]);
  },
);

test.each<[string, unknown, unknown]>([
  ["data of the tool", { rows: [1] }, { content: [], structuredContent: { rows: [1] } }],
  [
    "data with metadata",
    { temp: -5, _meta: { a: 1 } },
    { content: [], structuredContent: { temp: -5 }, _meta: { a: 1 } },
  ],
  [
    "a failure with its reason",
    { isError: true, content: [], reason: "Closed" },
    { content: [], structuredContent: { reason: "Closed" }, isError: true },
  ],
  ...[
    {},
    { _meta: { a: 1 } },
    { isError: true },
    { content: "a", note: "b" },
    { toolResult: { rows: [1] }, note: "a" },
    { structuredContent: { rows: [1] }, note: "a" },
    { resultType: "input_required", inputRequests: { asked: {} } },
    { inputRequests: {}, requestState: "a" },
  ].map((result): [string, unknown, unknown] => [JSON.stringify(result), result, result]),
])("a bare result is read: %s", async (_, result, expected) => {
  expect(await received([`data: ${JSON.stringify(answer(result))}\n\n`])).toEqual([
    answer(expected),
  ]);
});

test.each([
  [
    "in one piece",
    [`data: ${JSON.stringify(said("a"))}\n\ndata: ${JSON.stringify(said("b"))}\n\n`],
  ],
  [
    "by character",
    [...`data: ${JSON.stringify(said("a"))}\r\n\r\n\r\ndata:${JSON.stringify(said("b"))}`],
  ],
  [
    "on several lines",
    [
      `: hi\rdata: [\rdata: ${JSON.stringify(said("a"))},\rda`,
      `ta: ${JSON.stringify(said("b"))}\r`,
      "data: ]\r\r",
    ],
  ],
])("events are read %s", async (_, pieces) => {
  expect(await received(pieces)).toEqual([said("a"), said("b")]);
});

test("an event of megabytes in small lines is read once", { tags: "long" }, async () => {
  const lines = 20_000;
  function* pieces() {
    yield 'data: {"jsonrpc":"2.0","id":1,"result":{"content":[\n';
    for (let n = 0; n < lines; n++)
      yield `data: {"type":"text","text":"${"x".repeat(400)}"}${n + 1 < lines ? "," : ""}\n`;
    yield "data: ]}}\n\n";
  }
  const [message] = await received(pieces());
  expect(message).toMatchObject({ result: { content: { length: lines } } });
});

test.each<[unknown, unknown]>([
  ["Rain", { content: ["Rain"] }],
  [[{ content: "Rain" }], { content: [{ content: "Rain" }] }],
  [{ weather: "Rain" }, { content: [], structuredContent: { weather: "Rain" } }],
])("an answer on a stream of its own is read as that of its call: %j", async (result, expected) => {
  const event = `data: ${JSON.stringify(answer(result))}\n\n`;
  const fetch = tolerantFetch(
    async (_, init) =>
      init?.body
        ? new Response(null, { status: 202 })
        : new Response(event, { headers: { "content-type": "text/event-stream" } }),
    { probeMs: 1_000 },
  );
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "go" } };
  await fetch("http://a", { method: "POST", body: JSON.stringify(call) });
  const text = await (await fetch("http://a")).text();
  expect(JSON.parse(text.slice("data: ".length))).toEqual(answer(expected));
});
