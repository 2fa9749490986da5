import { z } from "zod";
import type { Environment } from "./environment-providers";
import { fetchJson } from "./fetch-json";
import type { ListedModel } from "./listed-model";

const tagsSchema = z.object({
  models: z.array(z.object({ name: z.string().min(1) })).max(1000),
});

const showSchema = z.object({
  capabilities: z.array(z.string()).default(["completion", "tools"]),
  model_info: z.record(z.string(), z.unknown()).default({}),
});

// Ollama's own default unless the machine has a large graphics card. It drops what does not fit from the front of
// the conversation without a word, so believing in a larger window would lose the beginning unnoticed.
const defaultWindow = 4096;
const detailedModels = 50;

/**
 * The chat models of an Ollama server, with what each can do.
 *
 * @param options.environment `OLLAMA_CONTEXT_LENGTH`, as Ollama itself reads it, sets the window.
 * @throws when the server does not answer like Ollama.
 */
export async function ollamaModels(
  origin: string,
  options: { fetch: typeof globalThis.fetch; timeoutMs: number; environment: Environment },
): Promise<ListedModel[]> {
  const { models } = await fetchJson(`${origin}/api/tags`, tagsSchema, options);
  const window = Number(options.environment.OLLAMA_CONTEXT_LENGTH) || defaultWindow;
  const described = await Promise.all(
    models
      .slice(0, detailedModels)
      .map(async ({ name }) => describe(name, await show(origin, name, options), window)),
  );
  return described.filter((model) => model !== null);
}

type Shown = z.infer<typeof showSchema>;

async function show(
  origin: string,
  model: string,
  options: { fetch: typeof globalThis.fetch; timeoutMs: number },
): Promise<Shown | null> {
  try {
    return await fetchJson(`${origin}/api/show`, showSchema, { ...options, body: { model } });
  } catch {
    // Without details the model can still be used.
    return null;
  }
}

function describe(id: string, shown: Shown | null, window: number): ListedModel | null {
  if (shown === null) return { id, contextWindow: window };
  if (!shown.capabilities.includes("completion")) return null;
  const trained = Object.entries(shown.model_info).find(([key]) =>
    key.endsWith(".context_length"),
  )?.[1];
  return {
    id,
    contextWindow: typeof trained === "number" ? Math.min(trained, window) : window,
    capabilities: {
      tools: shown.capabilities.includes("tools"),
      reasoning: shown.capabilities.includes("thinking"),
      images: shown.capabilities.includes("vision"),
    },
  };
}
