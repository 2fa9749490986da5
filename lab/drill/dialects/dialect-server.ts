import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Feature } from "@/lib/llm";
import type { FakeAnswer, FakeUsage } from "@/lib/llm/testing/fake-wires";
import {
  anthropicRules,
  chatRules,
  googleRules,
  type Rules,
  responsesRules,
} from "@/lib/llm/testing/provider-rules";
import type { Dialect, Refused, SentBody } from "./dialect";
import { bodyOf } from "./dialect-table";

export type Reply =
  | "answer"
  | "call"
  | "two calls"
  | "thought and call"
  | "thought"
  | "thoughts only"
  | "nothing"
  /** Some words, then the end of the body. */
  | "half"
  /** Some words, then a closed connection. */
  | "reset"
  /** No word until the client leaves. */
  | "silence"
  /** Some words, then none until the client leaves. */
  | "words and silence"
  | "failure"
  | Refused;

export const words = "Wört 🌳 Fine.";
export const callInput = '{"query":"tree"}';

/** Changes the bytes of a stream; the answer has to stay the same. */
export type Mutate = (events: readonly string[]) => readonly (string | Uint8Array)[];

export interface DialectCase {
  readonly dialect: Dialect;
  /** Replies in order; after the last one every reply is an answer. */
  readonly replies: readonly Reply[];
  readonly mutate?: Mutate | undefined;
  readonly usage?: FakeUsage;
  /** Model ids in the server's list. Default: `m`. */
  readonly models?: readonly string[];
  readonly script?: (body: SentBody, answer: FakeAnswer) => AsyncIterable<string>;
}

export interface ServedCase {
  readonly baseUrl: string;
  readonly problems: string[];
  /** Refusals of features, once each request. */
  readonly refusals: (Refused & { readonly feature: Feature })[];
  readonly accepted: SentBody[];
  readonly holding: Promise<void>;
}

interface Known extends DialectCase, ServedCase {
  readonly hold: () => void;
  next: number;
}

export interface DialectServer {
  add(served: DialectCase): ServedCase;
  close(): Promise<void>;
}

export async function startDialectServer(): Promise<DialectServer> {
  const known = new Map<string, Known>();
  const http = createServer((request, response) => {
    const found = known.get(request.url?.split("/")[1] ?? "");
    if (!found) return void response.writeHead(404).end();
    if (request.method === "GET") return void list(found, response);
    void reply(found, request, response);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return {
    add: (served) => {
      const key = String(known.size);
      const { promise: holding, resolve: hold } = Promise.withResolvers<void>();
      const baseUrl = `http://127.0.0.1:${address.port}/${key}${served.dialect.wire.path}`;
      const made = { ...served, baseUrl, problems: [], refusals: [], accepted: [], next: 0 };
      const whole: Known = { ...made, hold, holding };
      known.set(key, whole);
      return whole;
    },
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

/** The list has ids only, as most servers give them. */
function list({ models = ["m"] }: Known, response: ServerResponse): void {
  const data = models.map((id) => ({ id, object: "model" }));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ object: "list", data }));
}

const rulesOf: Readonly<Record<string, Rules>> = {
  "OpenAI chat": chatRules,
  "OpenAI responses": responsesRules,
  Anthropic: anthropicRules,
  Google: googleRules,
  "OpenAI-compatible": chatRules,
};

async function reply(
  served: Known,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body: SentBody = { messages: [], ...JSON.parse(Buffer.concat(chunks).toString()) };
  const { dialect, mutate, usage, script } = served;
  const refused = dialect.requires?.map((demand) => demand(body)).find((each) => each !== null);
  if (refused) {
    const { feature } = refused;
    if (feature) served.refusals.push({ ...refused, feature });
    else if (!refused.isAskedAgain) served.problems.push(refused.message);
    return refuse(response, dialect, refused);
  }
  served.problems.push(...(rulesOf[dialect.wire.name]?.(body) ?? ["It has no rules."]));
  served.accepted.push(body);
  const answer = dialect.wire.answer(usage);
  if (script) return writeScript(script(body, answer), response);
  const kind = nextReply(served, body);
  if (kind === "failure") return refuse(response, dialect, { status: 400, message: "Not now." });
  if (typeof kind === "object") return refuse(response, dialect, kind);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const isHeld = kind === "silence" || kind === "words and silence";
  const events = [...(dialect.streams ?? [])].reduce(
    (given, change) => change(given),
    eventsOf(answer, kind),
  );
  for (const bytes of mutate ? mutate(events) : events) {
    response.write(bytes);
    await setImmediate();
  }
  if (kind === "reset") return void response.destroy();
  if (!isHeld) return void response.end();
  served.hold();
}

function refuse(response: ServerResponse, dialect: Dialect, refused: Refused): void {
  const headers = { "content-type": "application/json", ...refused.headers };
  response.writeHead(refused.status, headers);
  response.end(JSON.stringify(bodyOf(refused, dialect)));
}

async function writeScript(events: AsyncIterable<string>, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const event of events) {
    if (response.destroyed) return;
    response.write(event);
  }
  response.end();
}

/** A model that got no tools calls none. */
function nextReply(served: Known, { tools }: SentBody): Reply {
  const hasTools = Array.isArray(tools) && tools.length > 0;
  let kind = served.replies[served.next++] ?? "answer";
  while (callingReplies.has(kind) && !hasTools) kind = served.replies[served.next++] ?? "answer";
  return kind;
}

type Writing = Exclude<Reply, Refused | "failure">;

const callingReplies: ReadonlySet<Reply> = new Set(["call", "two calls", "thought and call"]);

let calls = 0;

function newCall() {
  return { id: `call_${calls++}-x`, name: "search_chats", input: callInput };
}

function eventsOf(answer: FakeAnswer, kind: Writing): readonly string[] {
  const said = [answer.text("Wört 🌳 "), answer.text("Fine.")];
  const [first = "", rest = ""] = said;
  switch (kind) {
    case "call":
      return [answer.begin(), answer.call(newCall()), answer.finish("tool-calls")];
    case "two calls": {
      const both = [answer.call(newCall()), answer.call(newCall())];
      return [answer.begin(), ...both, answer.finish("tool-calls")];
    }
    case "thought and call": {
      const thought = answer.reasoning("Hm.");
      return [answer.begin(), thought, answer.call(newCall()), answer.finish("tool-calls")];
    }
    case "thought":
      return [answer.begin(), answer.reasoning("Hm."), first, rest, answer.finish("stop")];
    case "thoughts only":
      return [answer.begin(), answer.reasoning("Hm."), answer.finish("stop")];
    case "nothing":
      return [answer.begin(), answer.finish("stop")];
    case "half":
    case "reset":
    case "words and silence":
      return [answer.begin(), first];
    case "silence":
      return [answer.begin()];
    case "answer":
      return [answer.begin(), first, rest, answer.finish("stop")];
  }
}
