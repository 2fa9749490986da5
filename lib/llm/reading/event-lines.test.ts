import { expect, test } from "vitest";
import { EventLines } from "./event-lines";

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fed in pieces of this length. */
function read(body: string, length = body.length): { events: unknown[]; stray: string } {
  const lines = new EventLines(parse);
  const events: unknown[] = [];
  for (let at = 0; at < body.length; at += length) {
    lines.feed(body.slice(at, at + length));
    events.push(...lines.taken());
  }
  lines.end();
  events.push(...lines.taken());
  return { events, stray: lines.stray };
}

const one = { value: { a: 1 }, name: undefined };
const two = { value: { b: 2 }, name: undefined };

const bodies: [string, string, readonly unknown[]][] = [
  ["events", 'data: {"a":1}\n\ndata: {"b":2}\n\n', [one, two]],
  ["events without spaces", 'data:{"a":1}\n\ndata:{"b":2}\n\n', [one, two]],
  ["events with returns", 'data: {"a":1}\r\rdata: {"b":2}\r\r', [one, two]],
  ["events with returns and feeds", 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n', [one, two]],
  ["events without empty lines", 'data: {"a":1}\ndata: {"b":2}\n', [one, two]],
  ["an event without an end", 'data: {"a":1}', [one]],
  ["a name", 'event: word\ndata: {"a":1}\n\ndata: {"b":2}\n\n', [{ ...one, name: "word" }, two]],
  ["comments", ': hello\n\ndata: {"a":1}\n: hello\n\n', [one]],
  ["other fields", 'id: 4\nretry: 5\ndata: {"a":1}\n\n', [one]],
  ["an event in lines", 'data: {\ndata: "a":1}\n\n', [{ text: '{\n"a":1}', name: undefined }]],
  ["a text with a break", 'data: {"a":"x\ny"}\n\n', [{ text: '{"a":"x\ny"}', name: undefined }]],
  [
    "an event in lines without an empty one",
    'data: {\ndata: "a":1\ndata: }\ndata: {"b":2}\n',
    [{ text: '{\n"a":1\n}', name: undefined }, two],
  ],
  [
    "an event that was cut off",
    'data: {"a":\ndata: {"b":2}\n',
    [{ text: '{"a":', name: undefined }, two],
  ],
  [
    "words between events",
    'data: still here\ndata: {"b":2}\n',
    [{ text: "still here", name: undefined }, two],
  ],
  [
    "an end between events",
    'data: {"a":\ndata: [DONE]\ndata: {"b":2}\n',
    [{ text: '{"a":', name: undefined }, { text: "[DONE]", name: undefined }, two],
  ],
  [
    "an event in lines with brackets in its text and no empty line",
    'data: {\ndata: "a":"} \\" }}",\ndata: "c":[\ndata: ]\ndata: }\ndata: {"b":2}\n',
    [{ text: '{\n"a":"} \\" }}",\n"c":[\n]\n}', name: undefined }, two],
  ],
  [
    "an event in lines that two brackets end",
    'data: {\ndata: "a":{\ndata: }}\ndata: {"b":2}\n',
    [{ text: '{\n"a":{\n}}', name: undefined }, two],
  ],
  [
    "fields with a line separator",
    'event: a\u2028b\ndata: {"a":1}\n\nerror: not\u2028now\n\n',
    [
      { ...one, name: "a\u2028b" },
      { text: "not\u2028now", name: "error" },
    ],
  ],
  ["words", "data: [DONE]\n\n", [{ text: "[DONE]", name: undefined }]],
  [
    "a field named twice",
    'data: data: {"a":"x\ny"}\n\n',
    [{ text: '{"a":"x\ny"}', name: undefined }],
  ],
  ["a number", "data: 17\n\n", [{ text: "17", name: undefined }]],
  ["an empty event", "data:\n\ndata\n\n", [{ text: "", name: undefined }]],
  ["a field of errors", 'error: {"a":1}\n\n', [{ text: '{"a":1}', name: "error" }]],
  ["bare JSON", 'data: {"a":1}\n\n{"b":2}\n', [one, two]],
];

test.each(bodies)("reads %s, however the body is cut", (_, body, events) => {
  for (const length of [1, 2, 3, 7, body.length]) expect(read(body, length).events).toEqual(events);
});

test.each([
  ["closing lines", "data: {\ndata: x\n", "data: }\n"],
  ["pairs of lines", "data: {\ndata: x\n", "data: }\ndata: {\n"],
  ["lists", "data: [\ndata: x\n", "data: ]\n"],
  ["records in an open list", "data: [\n", "data: {\ndata: },\n"],
  ["closing lines in an open text", 'data: {\ndata: "\n', "data: }\n"],
  ["bare lines", "data: {\ndata: x\n", "}\n"],
  ["events that never end", "", "data: {\ndata: x\ndata: }\n"],
])("parses no sign more than a few times in 2,000 %s", (_, opening, line) => {
  let parsed = 0;
  const lines = new EventLines((text) => {
    parsed += text.length;
    return parse(text);
  });
  const body = opening + line.repeat(2_000);
  lines.feed(body);
  lines.end();
  expect(parsed).toBeLessThan(3 * body.length);
});

test.each(["data:", "data: "])("reads 100 KB of “%s” as an empty event", (field) => {
  expect(read(`${field.repeat(20_000)}\n\n`).events).toEqual([{ text: "", name: undefined }]);
});

test("keeps lines that are of no event, up to a limit", () => {
  expect(read("Not now.\nfield: x\n").stray).toBe("Not now.\nfield: x\n");
  expect(read("Not now.\n".repeat(100_000)).stray.length).toBeLessThan(3_000);
});

test("reads a line of 8 million signs in pieces of 1,000", () => {
  const { events } = read(`data: {"a":"${"x".repeat(8_000_000)}"}\n\n`, 1_000);
  expect(events).toHaveLength(1);
});
