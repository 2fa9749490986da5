import { asSchema, type ToolSet } from "ai";
import { ContextBlocks } from "../../context/context-blocks";
import type { AnyContextProvider } from "../../context-provider";

export function blocksOf(
  providers: Readonly<Record<string, AnyContextProvider>>,
  maxTokens?: number,
): ContextBlocks {
  const blocks = new ContextBlocks();
  for (const [label, provider] of Object.entries(providers)) {
    blocks.add({ id: label, label, provider, maxTokens, description: `About ${label}` });
  }
  return blocks;
}

export const nothingLoaded = { loadedSkills: () => [] };

/** Calls a tool as the AI SDK does: the input is validated first. */
export async function output(tools: ToolSet, name: string, input: unknown): Promise<unknown> {
  const tool = tools[name];
  const parsed = await asSchema(tool?.inputSchema).validate?.(input);
  if (!parsed?.success) throw new Error("invalid input", { cause: parsed?.error });
  return tool?.execute?.(parsed.value, { toolCallId: "call", messages: [], context: {} });
}

export async function call(tools: ToolSet, name: string, input: unknown): Promise<unknown> {
  const made = await output(tools, name, input);
  const told = await tools[name]?.toModelOutput?.({ toolCallId: "call", input, output: made });
  return told?.type === "text" ? told.value : made;
}
