import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { FakeAnswer } from "@/lib/llm/testing/fake-wires";

/** A reply that has begun, with the text before its fault. */
interface FaultyReply {
  readonly response: ServerResponse;
  readonly answer: FakeAnswer;
  /** Writes bytes and waits until the connection takes more. */
  send(bytes: string | Uint8Array): Promise<void>;
  /** Notes text that a fault sends itself. */
  note(text: string): void;
}

export interface ModelFault {
  readonly name: string;
  /** Codes of the error on the message; none when the answer is complete. */
  readonly codes: readonly string[];
  /** Nothing is sent before. */
  readonly isWholeReply?: boolean;
  /** The step after its tool calls is answered well. */
  readonly isOneStep?: boolean;
  /** More is sent than kept. */
  readonly isEndless?: boolean;
  act(reply: FaultyReply): Promise<unknown> | unknown;
}

type Act = ModelFault["act"];

const refusals: ModelFault[] = Object.entries({
  400: "bad-request",
  401: "bad-key",
  402: "rate-limited",
  403: "bad-key",
  404: "bad-request",
  408: "timeout",
  409: "bad-request",
  413: "bad-request",
  422: "bad-request",
  429: "rate-limited",
  // A reader that does not know the body has only the words of the status.
  500: "unknown or overloaded",
  502: "overloaded",
  503: "overloaded",
  529: "overloaded",
}).map(([status, code]) =>
  whole(`status ${status}`, code.split(" or "), ({ response }) => {
    response.writeHead(Number(status), { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "Not now.", type: "fault", code: null } }));
  }),
);

const page = "<!doctype html><title>Sign in</title><p>Please sign in to the network.";

const bodies: ModelFault[] = [
  whole("a web page", ["bad-request"], ({ response }) => {
    response.writeHead(200, { "content-type": "text/html" }).end(page);
  }),
  whole("a web page as status 502", ["overloaded"], ({ response }) => {
    response.writeHead(502, { "content-type": "text/html" }).end(page);
  }),
  whole("JSON in place of a stream", ["bad-request"], ({ response }) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"text":"Hello"}');
  }),
  whole("an error as JSON with status 200", ["rate-limited"], ({ response }) => {
    response.writeHead(200).end('{"error":{"message":"Rate limit reached"}}');
  }),
  whole("an empty body", ["empty"], ({ response }) => {
    response.writeHead(200).end();
  }),
  whole("a redirect", ["network"], ({ response }) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  }),
  whole("a reset before the head", ["cut"], ({ response }) => response.socket?.resetAndDestroy()),
  whole("silence before the head", ["timeout"], () => undefined),
  whole("silence after the head", ["timeout"], ({ response }) => {
    response.writeHead(200).flushHeaders();
  }),
];

const endings: ModelFault[] = [
  after("an error event", ["overloaded"], ({ answer, response }) =>
    response.end(answer.error("Internal server error")),
  ),
  after("a missing end", ["cut"], ({ response }) => response.end()),
  after("half an event", ["cut"], ({ answer, response }) =>
    response.end(answer.text("never whole").slice(0, 20)),
  ),
  after("a reset", ["cut"], async ({ response }) => {
    // A reset discards what its receiver has not read.
    await delay(30);
    response.socket?.resetAndDestroy();
  }),
  after("silence between bytes", ["cut"], () => undefined),
  after("the length limit", ["cut"], finish("length")),
  after("the content filter", ["refused"], finish("content-filter")),
  after("a line that is no JSON", ["cut", "unknown"], ({ response }) =>
    response.end("data: {oops\n\n"),
  ),
];

const oddities: ModelFault[] = [
  after("unknown events", [], async ({ answer, send, response }) => {
    await send(answer.unknown().repeat(3));
    response.end(answer.finish("stop"));
  }),
  after("characters split between packets", [], async ({ answer, send, note, response }) => {
    note("Ünï🌳");
    for (const byte of Buffer.from(answer.text("Ünï🌳"))) await send(Uint8Array.of(byte));
    response.end(answer.finish("stop"));
  }),
  after(
    "a text of one million bytes in one event",
    ["cut"],
    async ({ answer, send, note }) => {
      note("x".repeat(1_000_000));
      await send(answer.text("x".repeat(1_000_000)));
    },
    { isEndless: true },
  ),
  after(
    "text without end",
    ["cut"],
    ({ answer, send, note }) => {
      note("y".repeat(100_000));
      return forever(() => send(answer.text("y".repeat(100))));
    },
    { isEndless: true },
  ),
  after("comments without end", ["cut"], ({ send }) =>
    forever(() => send(`: ${"still here ".repeat(2_000)}\n\n`)),
  ),
  after(
    "parts without end",
    ["cut"],
    ({ answer, send }) =>
      forever(() => send(Array.from({ length: 100 }, () => answer.reasoning("hm")).join(""))),
    { isEndless: true },
  ),
  after("reasoning and nothing else", [], async ({ answer, send, response }) => {
    await send(answer.reasoning("Thinking about it."));
    response.end(answer.finish("stop"));
  }),
  after("an answer that ends at once", [], finish("stop")),
];

const tools: ModelFault[] = [
  calling("tool arguments that are no JSON", ({ call }) => [call("{oops", "c1")]),
  calling("tool arguments of another type", ({ call }) => [call('"text"', "c1")]),
  calling("empty tool arguments", ({ call }) => [call("", "c1")]),
  calling("tool calls with one id", ({ call }) => [call("{}", "same"), call("{}", "same")]),
  calling("an unknown tool", ({ call }) => [call("{}", "c1", "no_such_tool")]),
  {
    ...calling("10,000 tool calls", ({ call }) =>
      Array.from({ length: 10_000 }, (_, n) => call('{"query":"tree"}', `c${n}`)),
    ),
    codes: ["cut"],
    isEndless: true,
  },
];

export const allModelFaults: readonly ModelFault[] = [
  ...refusals,
  ...bodies,
  ...endings,
  ...oddities,
  ...tools,
];

function whole(name: string, codes: readonly string[], act: Act): ModelFault {
  return { name, codes, act, isWholeReply: true };
}

function after(
  name: string,
  codes: readonly string[],
  act: Act,
  more: Partial<ModelFault> = {},
): ModelFault {
  return { name, codes, act, ...more };
}

function finish(reason: Parameters<FakeAnswer["finish"]>[0]): Act {
  return ({ answer, response }) => response.end(answer.finish(reason));
}

interface Calls {
  call(input: string, id: string, name?: string): string;
}

function calling(name: string, events: (calls: Calls) => string[]): ModelFault {
  const act: Act = async ({ answer, send, response }) => {
    const call: Calls["call"] = (input, id, tool = "search_context") =>
      answer.call({ id, name: tool, input });
    for (const event of events({ call })) await send(event);
    response.end(answer.finish("tool-calls"));
  };
  return { name, codes: [], act, isOneStep: true };
}

/** Runs until the other side closes the connection, which makes `send` throw. */
async function forever(send: () => Promise<void>): Promise<never> {
  for (;;) await send();
}
