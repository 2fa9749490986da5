import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { z } from "zod";

const schemaShape = z.object({
  properties: z
    .record(
      z.string(),
      z.object({ enum: z.array(z.string()).optional().catch(undefined) }).catch({}),
    )
    .default({}),
  required: z.array(z.string()).default([]),
});

/** A tool as its JSON schema offers it: its properties with the values they may take, `null` for any. */
export type OfferedTool = {
  readonly name: string;
  readonly properties: ReadonlyMap<string, readonly string[] | null>;
  readonly required: readonly string[];
};

/** The tools a call may use, by name; empty when the caller forbids tools. */
export function offeredTools({
  tools = [],
  toolChoice,
}: LanguageModelV4CallOptions): ReadonlyMap<string, OfferedTool> {
  const offered = new Map<string, OfferedTool>();
  if (toolChoice?.type === "none") return offered;
  for (const tool of tools) {
    const parsed = tool.type === "function" ? schemaShape.safeParse(tool.inputSchema) : null;
    if (!parsed?.success) continue;
    const { properties, required } = parsed.data;
    const values = Object.entries(properties).map(
      ([name, property]) => [name, property.enum ?? null] as const,
    );
    offered.set(tool.name, { name: tool.name, properties: new Map(values), required });
  }
  return offered;
}

/** Whether the schema allows these arguments: all required ones, known ones only, and only allowed values. */
export function accepts(tool: OfferedTool, input: Readonly<Record<string, string>>): boolean {
  return (
    tool.required.every((name) => name in input) &&
    Object.entries(input).every(([name, value]) => {
      const allowed = tool.properties.get(name);
      return allowed !== undefined && (allowed === null || allowed.includes(value));
    })
  );
}
