import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly content: unknown }[];
  readonly stream?: boolean;
  readonly temperature?: number;
  readonly max_tokens?: number;
}

export interface ManyModels {
  readonly url: string;
  /** Chat requests, the oldest first. */
  readonly asked: readonly ChatRequest[];
  /** Pause between the words of an answer, in milliseconds. */
  pauseMs: number;
  /** Words of each answer; a change counts for those being written, too. */
  words: number;
  thinkMs: number;
  stop(): Promise<void>;
}

/** Refuses every temperature. */
export const strictModel = "strict/no-heat-1";
/** Thinks before it answers. */
export const thinkingModel = "thinker/think-2";
/** Listed, but no longer there. */
export const goneModel = "gone/retired-1";

/** A server in OpenAI's format with OpenRouter's facts about its models. */
export async function startManyModels(count = 304): Promise<ManyModels> {
  const asked: ChatRequest[] = [];
  const http = createServer(async (request, response) => {
    if (request.method === "GET") return json(response, 200, { data: modelList(count) });
    const chat = await bodyOf(request);
    if (!chat.stream) return json(response, 200, titleFor(chat));
    if (!isForTitle(chat)) asked.push(chat);
    if (chat.model === strictModel && chat.temperature !== undefined)
      return refuse(response, 400, "Unsupported value: 'temperature' is fixed for this model.");
    if (chat.model === goneModel)
      return refuse(response, 404, `The model '${goneModel}' does not exist.`);
    await write(response, chat, server);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (!address || typeof address !== "object") throw new Error("The server has no address.");
  const server: ManyModels = {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    pauseMs: 5,
    words: 12,
    thinkMs: 700,
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
  return server;
}

function isForTitle({ messages }: ChatRequest): boolean {
  return JSON.stringify(messages).includes("<question>");
}

function modelList(count: number) {
  const special = [strictModel, thinkingModel, goneModel];
  const others = Array.from({ length: count - special.length }, (_, n) => `house/gpt-${n + 1}`);
  return [...special, ...others].map((id, index) => ({
    id,
    name: id.slice(id.indexOf("/") + 1),
    context_length: 8_000 * (1 + (index % 25)),
    pricing: { prompt: "0.000002", completion: "0.00001" },
    architecture: { input_modalities: index % 2 === 0 ? ["text", "image"] : ["text"] },
    supported_parameters: ["temperature", "max_tokens", ...(index % 3 === 0 ? ["tools"] : [])],
  }));
}

async function bodyOf(request: IncomingMessage): Promise<ChatRequest> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return JSON.parse(body) as ChatRequest;
}

async function write(
  response: ServerResponse,
  { model }: ChatRequest,
  server: Pick<ManyModels, "pauseMs" | "words" | "thinkMs">,
): Promise<void> {
  const { pauseMs, thinkMs } = server;
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const send = async (delta: object) => {
    response.write(`data: ${JSON.stringify(chunk(model, delta, null))}\n\n`);
    await delay(pauseMs);
  };
  if (model === thinkingModel) {
    for (const word of ["First ", "I weigh ", "the kettle.\n"]) {
      await send({ reasoning_content: word });
      await delay(thinkMs);
    }
  }
  let words = 0;
  for (; words < server.words && !response.destroyed; words++) {
    const end = words % 40 === 39 ? "\n\n" : " ";
    await send({ content: words === 0 ? `This is ${model}. ` : `word${words}${end}` });
  }
  const usage = { prompt_tokens: 20, completion_tokens: words, total_tokens: 20 + words };
  const last = { ...chunk(model, {}, "stop"), usage };
  response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
}

function chunk(model: string, delta: object, finishReason: string | null) {
  const choice = { index: 0, delta, finish_reason: finishReason };
  return { id: "many", object: "chat.completion.chunk", created: 0, model, choices: [choice] };
}

function titleFor({ model }: ChatRequest) {
  const message = { role: "assistant", content: "A chat" };
  const choice = { index: 0, message, finish_reason: "stop" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: "many", object: "chat.completion", created: 0, model, choices: [choice], usage };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  json(response, status, { error: { message, type: "invalid_request_error" } });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(value));
}
