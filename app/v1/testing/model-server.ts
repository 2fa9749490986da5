import { once } from "node:events";
import { createServer } from "node:http";

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { role: string; content: unknown }[];
  readonly tools?: readonly { function: { name: string } }[];
  readonly temperature?: number;
}

export interface FakeModels {
  readonly baseUrl: string;
  /** Bodies of the calls, oldest first. */
  readonly requests: ChatRequest[];
  /** Waits between the words of an answer. */
  pauseMs: number;
  /** Answers wait for it. */
  held: Promise<void> | null;
  /** Says this instead. */
  answer: string | null;
  close(): Promise<void>;
}

/** Calls the first tool for a question, repeats a tool's result, and otherwise repeats the question. */
export async function startFakeModels(): Promise<FakeModels> {
  const requests: ChatRequest[] = [];
  const models: Pick<FakeModels, "pauseMs" | "held" | "answer"> = {
    pauseMs: 0,
    held: null,
    answer: null,
  };
  const server = createServer(async (request, response) => {
    if (request.url?.endsWith("/models")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: [{ id: "echo", object: "model" }] }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
    requests.push(body);
    response.setHeader("content-type", "text/event-stream");
    await models.held;
    for (const delta of deltasFor(body, models.answer)) {
      response.write(`data: ${JSON.stringify(chunkOf(delta))}\n\n`);
      if (models.pauseMs > 0) await new Promise((done) => setTimeout(done, models.pauseMs));
      if (response.destroyed) return;
    }
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The server has no port.");
  return Object.assign(models, {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

type Delta = { delta: Record<string, unknown>; finish?: string; usage?: boolean };

function deltasFor({ messages, tools }: ChatRequest, answer: string | null): Delta[] {
  const last = messages.at(-1);
  const tool = tools?.[0];
  if (tool && last?.role === "user") {
    const call = { index: 0, id: `call_${messages.length}`, type: "function" };
    const named = { name: tool.function.name, arguments: "" };
    return [
      { delta: { role: "assistant", tool_calls: [{ ...call, function: named }] } },
      { delta: { tool_calls: [{ index: 0, function: { arguments: '{"city":"Oslo"}' } }] } },
      { delta: {}, finish: "tool_calls", usage: true },
    ];
  }
  const said = typeof last?.content === "string" ? last.content : JSON.stringify(last?.content);
  const text = answer ?? `${last?.role === "tool" ? "It says" : "You said"}: ${said}`;
  const words = text.split(/(?<= )/).map((content) => ({ delta: { content } }));
  return [...words, { delta: {}, finish: "stop", usage: true }];
}

function chunkOf({ delta, finish = undefined, usage = false }: Delta) {
  return {
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "echo",
    choices: [{ index: 0, delta, finish_reason: finish ?? null }],
    ...(usage && { usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } }),
  };
}
