import { LLMock } from "@copilotkit/aimock";

/** Fixed answers by question. */
export const questions = {
  greeting: "Please greet me",
  remembering: "Please note that the kettle is blue",
  rewriting: "Please rewrite my memory",
  planning: "Please write down the plan",
  wrongKey: "Answer as if my key were wrong",
  tooOften: "Answer as if I asked too often",
  tooLong: "Answer as if this were too long",
  cut: "Answer with something that breaks off",
} as const;

export const greeting =
  "Hello from the model server. The kettle is on, and the tea is nearly ready.";
export const usage = {
  input_tokens: 2000,
  output_tokens: 500,
  prompt_tokens: 2000,
  completion_tokens: 500,
};

export interface ModelServerOptions {
  /** The models it lists. */
  models: readonly string[];
  /** Fails summary requests. */
  failsToSummarize?: boolean;
}

/** A real HTTP server that speaks the wire of every provider and answers by the words of the question. */
export async function startModelServer(options: ModelServerOptions): Promise<LLMock> {
  const server = new LLMock({ port: 0, chunkSize: 12 });
  // The list of models is made of the models that are named here.
  for (const model of options.models)
    server.on({ model, userMessage: "\u0000never" }, { content: "" });
  server.onMessage(/<question>/, { content: "A conversation over HTTP" });
  if (options.failsToSummarize) {
    server.onMessage(/Key Points/, refusal(500, "The summary went wrong", "server_error"));
  }
  server.onMessage(/Key Points/, { content: "## Topic\nOwls, and what they say.", usage });
  answerQuestions(server);
  await server.start();
  return server;
}

function answerQuestions(server: LLMock): void {
  server.onMessage(questions.greeting, { content: greeting, usage }, { latency: 10 });
  const noted = '{"label":"todos","content":"- [ ] Keep the blue kettle","action":"append"}';
  const rewritten = '{"label":"memory","content":"- Rewritten by the model"}';
  server.on(
    { userMessage: questions.remembering, hasToolResult: false },
    { toolCalls: [{ name: "set_context", arguments: noted }], usage },
  );
  server.on(
    { userMessage: questions.remembering, hasToolResult: true },
    { content: "I noted the kettle.", usage },
  );
  server.on(
    { userMessage: questions.rewriting, hasToolResult: false },
    { toolCalls: [{ name: "set_context", arguments: rewritten }], usage },
  );
  server.on(
    { userMessage: questions.rewriting, hasToolResult: true },
    { content: "I would rewrite it.", usage },
  );
  const planned = '{"label":"plan","content":"- Buy seeds","action":"append"}';
  server.on(
    { userMessage: questions.planning, hasToolResult: false },
    { toolCalls: [{ name: "set_context", arguments: planned }], usage },
  );
  server.on({ userMessage: questions.planning, hasToolResult: true }, { content: "Done.", usage });
  server.onMessage(questions.wrongKey, refusal(401, "Incorrect API key", "invalid_api_key"));
  server.onMessage(questions.tooOften, refusal(429, "Slow down", "rate_limit_exceeded"));
  server.onMessage(
    questions.tooLong,
    refusal(400, "prompt is too long: context_length_exceeded", "context_length_exceeded"),
  );
  const text = "This answer is going to break off somewhere in the middle. ".repeat(4);
  server.onMessage(questions.cut, { content: text }, { truncateAfterChunks: 8, latency: 5 });
}

function refusal(status: number, message: string, code: string) {
  return { status, error: { message, type: code, code } };
}
