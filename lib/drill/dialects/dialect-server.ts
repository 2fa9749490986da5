import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { FakeAnswer } from "@/lib/drill/fake-wires";
import {
  anthropicRules,
  chatRules,
  googleRules,
  type Rules,
  responsesRules,
} from "@/lib/drill/provider-rules";
import type { Feature } from "@/lib/llm";
import type { Dialect, Refused, SentBody } from "./dialect";
import { bodyOf } from "./dialect-table";

/** One reply of a server, to a request that it accepts. */
export type Reply =
  | "answer"
  | "call"
  | "two calls"
  | "thought and call"
  | "thought"
  | "thoughts only"
  | "nothing"
  /** Some words, then a closed connection. */
  | "half"
  /** No word until the client leaves. */
  | "silence"
  /** Some words, then none until the client leaves. */
  | "words and silence"
  | "failure";

export const words = "Wört 🌳 Fine.";
export const callInput = '{"query":"tree"}';

/** Changes the bytes of a stream; the answer has to stay the same. */
export type Mutate = (events: readonly string[]) => readonly (string | Uint8Array)[];

export interface DialectCase {
  readonly dialect: Dialect;
  /** In order; after the last one every reply is an answer. */
  readonly replies: readonly Reply[];
  readonly mutate?: Mutate | undefined;
}

export interface ServedCase {
  readonly baseUrl: string;
  /** Demands that requests did not meet. */
  readonly problems: string[];
  /** Refused as features, once each request. */
  readonly refusals: (Refused & { readonly feature: Feature })[];
  readonly accepted: SentBody[];
  /** Resolves once a reply holds back. */
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
  const { dialect, mutate } = served;
  const refused = dialect.requires?.map((demand) => demand(body)).find((each) => each !== null);
  if (refused) {
    const { feature } = refused;
    if (feature) served.refusals.push({ ...refused, feature });
    else if (!refused.isAskedAgain) served.problems.push(refused.message);
    response.writeHead(refused.status, { "content-type": "application/json" });
    return void response.end(JSON.stringify(bodyOf(refused, dialect)));
  }
  served.problems.push(...(rulesOf[dialect.wire.name]?.(body) ?? ["It has no rules."]));
  served.accepted.push(body);
  const kind = nextReply(served, body);
  if (kind === "failure") {
    response.writeHead(400, { "content-type": "application/json" });
    return void response.end(JSON.stringify(bodyOf({ status: 400, message: "Not now." }, dialect)));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const isHeld = kind === "silence" || kind === "words and silence";
  const events = [...(dialect.streams ?? [])].reduce(
    (given, change) => change(given),
    eventsOf(dialect.wire.answer(), kind),
  );
  for (const bytes of mutate ? mutate(events) : events) {
    response.write(bytes);
    await setImmediate();
  }
  if (!isHeld) return void response.end();
  served.hold();
}

/** A model that got no tools calls none. */
function nextReply(served: Known, { tools }: SentBody): Reply {
  const hasTools = Array.isArray(tools) && tools.length > 0;
  let kind = served.replies[served.next++] ?? "answer";
  while (callingReplies.has(kind) && !hasTools) kind = served.replies[served.next++] ?? "answer";
  return kind;
}

const callingReplies: ReadonlySet<Reply> = new Set(["call", "two calls", "thought and call"]);

let calls = 0;

function newCall() {
  return { id: `call_${calls++}-x`, name: "search_chats", input: callInput };
}

function eventsOf(answer: FakeAnswer, kind: Reply): readonly string[] {
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
    case "words and silence":
      return [answer.begin(), first];
    case "silence":
      return [answer.begin()];
    case "answer":
    case "failure":
      return [answer.begin(), first, rest, answer.finish("stop")];
  }
}
