import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Times of `performance.now()`. */
interface ModelTimes {
  askedAt: number;
  wroteAt: number[];
}

export interface ModelServer {
  baseUrl: string;
  modelId: string;
  models: string[];
  pace: { words: number; pauseMs: number; word?: (n: number) => string };
  last: ModelTimes;
  /** Called with each request for a stream, before it is answered. */
  onAsked: ((body: string) => void) | null;
  /** Called with the request whose reader left before the end. */
  onLeft: ((body: string) => void) | null;
  close(): Promise<void>;
}

const modelId = "bench-model";

/**
 * Answers at once with numbered words in OpenAI's format, so that all measured time is Grove's.
 *
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export async function startModelServer(): Promise<ModelServer> {
  const http = createServer(async (request, response) => {
    const askedAt = performance.now();
    if (request.method === "GET")
      return json(response, { data: model.models.map((id) => ({ id })) });
    let body = "";
    for await (const chunk of request) body += chunk;
    if (!/"stream":\s*true/.test(body)) return json(response, completion({ content: "A title" }));
    model.onAsked?.(body);
    model.last = { askedAt, wroteAt: [] };
    response.once("close", () => {
      if (!response.writableEnded) model.onLeft?.(body);
    });
    await writeWords(response, model);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (!address || typeof address !== "object") throw new Error("The model server has no address.");
  const model: ModelServer = {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    modelId,
    models: [modelId],
    pace: { words: 50, pauseMs: 10 },
    last: { askedAt: 0, wroteAt: [] },
    onAsked: null,
    onLeft: null,
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
  return model;
}

async function writeWords(response: ServerResponse, { pace, last }: ModelServer): Promise<void> {
  response.socket?.setNoDelay(true);
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (let n = 0; n < pace.words; n++) {
    last.wroteAt.push(performance.now());
    const goesOn = response.write(event({ content: pace.word?.(n) ?? `w${n} ` }, null));
    if (response.destroyed) return;
    if (!goesOn) await Promise.race([once(response, "drain"), once(response, "close")]);
    if (pace.pauseMs > 0) await delay(pace.pauseMs);
  }
  response.end(`${event({}, "stop")}data: [DONE]\n\n`);
}

function event(delta: { content?: string }, finishReason: string | null): string {
  const choice = { index: 0, delta, finish_reason: finishReason };
  return `data: ${JSON.stringify({ ...head("chat.completion.chunk"), choices: [choice] })}\n\n`;
}

function completion(message: { content: string }) {
  const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { ...head("chat.completion"), choices: [choice], usage };
}

function head(object: string) {
  return { id: "bench", object, created: 0, model: modelId };
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(value));
}
