import type { Model, ModelRequest, ModelResponse, protocol, StreamEvent } from "@openai/agents";
import { Usage } from "@openai/agents";

export type OutputItem = protocol.OutputModelItem;

/** Answers each call with the next reply, and keeps its requests. */
export class ScriptedModel implements Model {
  readonly inputs: ModelRequest["input"][] = [];
  readonly #replies: OutputItem[][];

  constructor(...replies: OutputItem[][]) {
    this.#replies = replies;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    return { usage: new Usage(), output: this.#next(request) };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const output = this.#next(request);
    const usage = { requests: 1, inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield { type: "response_started" };
    yield { type: "response_done", response: { id: crypto.randomUUID(), usage, output } };
  }

  #next({ input }: ModelRequest): OutputItem[] {
    this.inputs.push(structuredClone(input));
    const reply = this.#replies.shift();
    if (!reply) throw new Error("The script has no further reply.");
    return structuredClone(reply);
  }
}

export function said(text: string): OutputItem {
  return {
    type: "message",
    id: `msg_${text.length}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text }],
  };
}

export function called(name: string, input: object, callId = `call_${name}`): OutputItem {
  return {
    type: "function_call",
    id: `fc_${callId}`,
    callId,
    name,
    arguments: JSON.stringify(input),
    status: "completed",
  };
}
