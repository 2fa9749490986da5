import { embedMany } from "ai";
import { estimateStringTokens } from "grove-session";
import { z } from "zod";
import { callUsage } from "@/lib/chat/runs/usage";
import { describeModelError, type ModelRegistry, type ResolvedEmbeddings } from "@/lib/llm";
import { assertMay } from "./keys";
import { aliased } from "./models";
import type { Program } from "./program";
import { failedAnswer, lastingRefusal, programError } from "./program-error";
import { given } from "./response-request";
import type { JsonRecord } from "./response-writer";

const mostInputs = 2_048;
const mostCharacters = 2_000_000;

const text = z.string().min(1);
export const embeddingsRequest = z.object({
  model: z.string().min(1).max(200),
  input: z.union([text, z.array(text).min(1).max(mostInputs)], {
    error: `must be a text, or 1 to ${mostInputs} texts, and no tokens`,
  }),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z.int().min(1).max(100_000).nullish(),
});
type EmbeddingsRequest = z.output<typeof embeddingsRequest>;

/** @throws {ProgramError} as for answers, and `unsupported_parameter` for a provider without embeddings. */
export async function createEmbeddings(
  program: Program,
  registry: Pick<ModelRegistry, "embeddings">,
  request: EmbeddingsRequest,
): Promise<JsonRecord> {
  const { key, owner, runner, signal } = program;
  assertMay(key, { writes: true });
  const values = typeof request.input === "string" ? [request.input] : request.input;
  const characters = values.reduce((sum, value) => sum + value.length, 0);
  if (characters > mostCharacters) {
    const most = mostCharacters.toLocaleString("en");
    throw programError("invalid", `“input” has more than ${most} characters.`, "input");
  }
  const name = aliased(program, request.model) ?? request.model;
  const resolved = await registry.embeddings(name);
  if (!resolved)
    throw programError("unsupported", `The provider of ${name} offers no embeddings.`, "model");
  const model = resolved.info.ref;
  assertMay(key, { writes: true, model });
  await runner.assertMayAsk(owner);
  const asked = { model: resolved.model, values, maxRetries: 1, abortSignal: signal };
  const { dimensions } = request;
  const { embeddings, usage } = await embedMany({
    ...asked,
    ...(dimensions && { providerOptions: sizedTo(dimensions) }),
  }).catch((error: unknown) => {
    const problem = describeModelError(error);
    throw lastingRefusal(problem) ?? failedAnswer(problem);
  });
  const tokens = await noteUsage(program, resolved, { values, tokens: usage.tokens });
  const encode = request.encoding_format === "base64" ? inBase64 : (each: number[]) => each;
  return {
    object: "list",
    data: embeddings.map((each, index) => ({
      object: "embedding",
      index,
      embedding: encode(each),
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function sizedTo(dimensions: number) {
  return {
    openai: { dimensions },
    openaiCompatible: { dimensions },
    google: { outputDimensionality: dimensions },
  };
}

/** Base64 of 32-bit floats is the form that OpenAI's clients ask for. */
function inBase64(embedding: readonly number[]): string {
  return Buffer.from(new Float32Array(embedding).buffer).toString("base64");
}

async function noteUsage(
  { key, owner, making }: Program,
  { info }: ResolvedEmbeddings,
  { values, tokens }: { readonly values: readonly string[]; readonly tokens: number },
): Promise<number> {
  const isReported = Number.isFinite(tokens) && tokens > 0;
  const estimated = () => values.reduce((sum, value) => sum + estimateStringTokens(value), 0);
  const inputTokens = isReported ? tokens : estimated();
  const used = callUsage(reportOf(inputTokens), {
    estimated: { inputTokens, outputTokens: 0 },
    ...given({ charged: info.charged }),
    price: info.price,
  });
  if (used)
    await owner.usage.record({
      ...{ id: `embedding ${making.id}`, kind: "embedding", sessionId: "", model: info.ref },
      ...used,
      keyId: key.id,
      isReported,
    });
  return inputTokens;
}

function reportOf(inputTokens: number) {
  const unknown = undefined;
  return {
    ...{ inputTokens, outputTokens: 0, totalTokens: inputTokens },
    inputTokenDetails: {
      noCacheTokens: unknown,
      cacheReadTokens: unknown,
      cacheWriteTokens: unknown,
    },
    outputTokenDetails: { textTokens: unknown, reasoningTokens: unknown },
  };
}
