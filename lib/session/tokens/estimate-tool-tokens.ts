import type { ToolSet } from "ai";
import { estimateStringTokens } from "./estimate-tokens";

/** Estimates the tokens of tool definitions: names, descriptions and schemas. */
export async function estimateToolTokens(tools: ToolSet): Promise<number> {
  // Imported when needed: it takes longer than the whole library.
  const { asSchema } = await import("ai");
  const counts = Object.entries(tools).map(async ([name, tool]) => {
    const schema = await asSchema(tool.inputSchema).jsonSchema;
    const description = typeof tool.description === "string" ? tool.description : "";
    return estimateStringTokens(`${name} ${description} ${JSON.stringify(schema)}`);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
