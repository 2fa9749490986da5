import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { FakeWire } from "@/lib/llm/testing/fake-wires";
import type { ModelFault } from "./model-fault-list";

export interface FaultCase {
  readonly wire: FakeWire;
  readonly fault: ModelFault;
  /** Pieces of text before the fault. */
  readonly pieces: number;
}

export interface FaultServer {
  /** @returns the address of a provider with this fault. */
  add(faulty: FaultCase): string;
  /** Text of the last reply, all of it; `null` when none was requested. */
  sent(baseUrl: string): string | null;
  close(): Promise<void>;
}

interface Known extends FaultCase {
  sent: string | null;
  requests: number;
}

class GoneError extends Error {}

export async function startFaultServer(): Promise<FaultServer> {
  const known = new Map<string, Known>();
  const http = createServer((request, response) => {
    reply(known, request, response).catch((error: unknown) => {
      if (!(error instanceof GoneError)) throw error;
    });
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  const origin = `http://127.0.0.1:${address.port}`;
  const of = (baseUrl: string) => known.get(keyOf(baseUrl.slice(origin.length)));
  return {
    add: (faulty) => {
      const key = String(known.size);
      known.set(key, { ...faulty, sent: null, requests: 0 });
      return `${origin}/${key}${faulty.wire.path}`;
    },
    sent: (baseUrl) => of(baseUrl)?.sent ?? null,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

export const healthy: ModelFault = {
  name: "no fault",
  codes: [],
  act: ({ answer, response }) => response.end(answer.text("Fine.") + answer.finish("stop")),
};

async function reply(
  known: ReadonlyMap<string, Known>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for await (const _ of request);
  const found = known.get(keyOf(request.url ?? ""));
  if (!found) return void response.writeHead(404).end();
  found.requests++;
  const isNextStep = found.fault.isOneStep === true && found.requests > 1;
  const fault = isNextStep ? healthy : found.fault;
  const answer = found.wire.answer();
  const send = async (bytes: string | Uint8Array) => {
    if (response.closed || response.destroyed) throw new GoneError();
    if (!response.write(bytes))
      await Promise.race([once(response, "drain"), once(response, "close")]);
    await setImmediate();
  };
  const note = (text: string) => {
    found.sent = (found.sent ?? "") + text;
  };
  if (!isNextStep) found.sent = null;
  if (isNextStep) note("Fine.");
  if (fault.isWholeReply !== true) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    await send(answer.begin());
    for (let n = 0; n < found.pieces && !isNextStep; n++) {
      note(`Wört ${n} 🌳 `);
      await send(answer.text(`Wört ${n} 🌳 `));
    }
  }
  await fault.act({ response, answer, send, note });
}

function keyOf(path: string): string {
  return path.split("/")[1] ?? "";
}
