import { isStepCount, streamText, type ToolSet, tool } from "ai";
import { z } from "zod";
import { describeFinishReason, describeModelError } from "@/lib/llm/describe-model-error";
import { modelLimits } from "@/lib/llm/model-limits";
import type { ModelProvider } from "@/lib/llm/model-provider";
import { languageModel } from "@/lib/llm/protocols";

globalThis.AI_SDK_LOG_WARNINGS = false;

export type TestedProtocol = "chat" | "compatible" | "responses" | "anthropic" | "google";

const providers: Record<TestedProtocol, Pick<ModelProvider, "kind" | "api" | "baseUrl">> = {
  chat: { kind: "openai", api: "chat", baseUrl: "https://api.openai.com/v1" },
  compatible: { kind: "compatible", api: "chat", baseUrl: "https://server.test/v1" },
  responses: { kind: "openai", api: "responses", baseUrl: "https://api.openai.com/v1" },
  anthropic: { kind: "anthropic", api: "chat", baseUrl: "https://api.anthropic.com/v1" },
  google: {
    kind: "google",
    api: "chat",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  },
};

export interface ReadAnswer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly files: readonly string[];
  readonly finish: string;
  readonly problem: string | null;
  readonly usage: readonly [number | undefined, number | undefined];
}

const tools: ToolSet = {
  look_up: tool({ description: "Looks up.", inputSchema: z.looseObject({}) }),
};

export async function readStreamed(
  protocol: TestedProtocol,
  body: string | readonly (string | Uint8Array)[],
  { status = 200, contentType = "text/event-stream" } = {},
): Promise<ReadAnswer> {
  const pieces = (typeof body === "string" ? [body] : body).map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece,
  );
  const fetch: typeof globalThis.fetch = async () => {
    const left = [...pieces];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = left.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    return new Response(stream, { status, headers: { "content-type": contentType } });
  };
  return readModel(modelOf(protocol, { fetch }));
}

export function modelOf(
  protocol: TestedProtocol,
  { fetch, baseUrl }: { fetch?: typeof globalThis.fetch; baseUrl?: string } = {},
) {
  const known = providers[protocol];
  const provider: ModelProvider = {
    id: "compatible:test",
    label: "Test",
    apiKey: "sk-reading-123456789",
    models: null,
    ...known,
    ...(baseUrl !== undefined && { baseUrl }),
  };
  const limits = { ...modelLimits({}), retries: 0 };
  return languageModel(provider, "any-model", { limits, ...(fetch && { fetch }) });
}

export async function readModel(model: ReturnType<typeof modelOf>): Promise<ReadAnswer> {
  const read = {
    text: "",
    thought: "",
    calls: [] as { name: string; input: unknown }[],
    files: [] as string[],
    finish: "",
    usage: [undefined, undefined] as [number | undefined, number | undefined],
  };
  let error: unknown;
  try {
    const { stream } = streamText({
      model,
      prompt: "Question",
      tools,
      stopWhen: isStepCount(1),
      maxRetries: 0,
      onError: () => undefined,
    });
    for await (const part of stream) {
      if (part.type === "text-delta") read.text += part.text;
      if (part.type === "reasoning-delta") read.thought += part.text;
      if (part.type === "tool-call") read.calls.push({ name: part.toolName, input: part.input });
      if (part.type === "file") read.files.push(`${part.file.mediaType} ${part.file.base64}`);
      if (part.type === "error") error ??= part.error;
      if (part.type === "finish") {
        read.finish = part.finishReason;
        read.usage = [part.totalUsage.inputTokens, part.totalUsage.outputTokens];
      }
    }
  } catch (thrown) {
    error ??= thrown;
  }
  return { ...read, problem: problemOf(error, read) };
}

function problemOf(
  error: unknown,
  { finish, text, calls, files }: Pick<ReadAnswer, "finish" | "text" | "calls" | "files">,
): string | null {
  if (error !== undefined) {
    const { message, details } = describeModelError(error);
    return details === undefined ? message : `${message} (${details})`;
  }
  const isEmpty = text.trim() === "" && calls.length === 0 && files.length === 0;
  const reason = finish as Parameters<typeof describeFinishReason>[0];
  return describeFinishReason(reason, { isEmpty })?.message ?? null;
}
