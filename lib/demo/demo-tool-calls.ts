import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { z } from "zod";
import type { DemoCall } from "./demo-call";
import type { DemoIntent } from "./demo-intents";

export type DemoToolCall = {
  readonly toolName: string;
  readonly input: Readonly<Record<string, string>>;
};

type Tools = ReadonlyMap<string, OfferedTool>;

export function toolCallFor(intent: DemoIntent, tools: Tools, call: DemoCall): DemoToolCall | null {
  const possible = candidates(intent, tools, call).find(({ toolName, input }) => {
    const tool = tools.get(toolName);
    return tool !== undefined && accepts(tool, input);
  });
  return possible ?? null;
}

function candidates(intent: DemoIntent, tools: Tools, call: DemoCall): DemoToolCall[] {
  switch (intent.kind) {
    case "remember":
      return [write("memory", `- ${intent.line}`)];
    case "todo":
      return [write("todos", `- [ ] ${intent.item}`)];
    case "search":
      return searches(intent, tools);
    case "load":
      return documents("load_context", skillKey(intent.name, tools, call), { tools, call });
    case "call":
      return namedCalls(intent, tools);
    case "unload":
      return documents("unload_context", unloadKey(intent.name, tools, call), { tools, call });
  }
}

function namedCalls(
  { name, argument }: Extract<DemoIntent, { kind: "call" }>,
  tools: Tools,
): DemoToolCall[] {
  const wanted = keyForm(name);
  return [...tools.values()].flatMap(({ name: toolName, properties, required }) => {
    const own = keyForm(toolName.split("__").at(-1) ?? toolName);
    if (own !== wanted && keyForm(toolName) !== wanted) return [];
    const field = required[0] ?? [...properties.keys()][0];
    return [{ toolName, input: field === undefined ? {} : { [field]: argument } }];
  });
}

function write(label: string, content: string): DemoToolCall {
  return { toolName: "set_context", input: { label, content, action: "append" } };
}

function searches(
  { query, inKnowledge }: Extract<DemoIntent, { kind: "search" }>,
  tools: Tools,
): DemoToolCall[] {
  const inConversations = [{ toolName: "session_search", input: { query } }];
  const inBlocks = labels(tools.get("search_context"), "knowledge").map((label) => ({
    toolName: "search_context",
    input: { label, query },
  }));
  return inKnowledge ? [...inBlocks, ...inConversations] : [...inConversations, ...inBlocks];
}

function documents(
  toolName: string,
  key: string,
  { tools, call }: { tools: Tools; call: DemoCall },
): DemoToolCall[] {
  const tool = tools.get(toolName);
  const listing = (tool?.properties.get("label") ?? []).find((label) =>
    lists(call.system, label, key),
  );
  return labels(tool, listing ?? "skills").map((label) => ({ toolName, input: { label, key } }));
}

function lists(system: string, label: string, key: string): boolean {
  const sections = system.split(/^═+$/m);
  const at = sections.findIndex((section) => {
    return section.trim().replace(/ [([].*$/s, "") === label.toUpperCase();
  });
  const lines = sections[at + 1]?.split("\n") ?? [];
  return at >= 0 && lines.some((line) => line === `- ${key}` || line.startsWith(`- ${key}: `));
}

function labels(tool: OfferedTool | undefined, preferred: string): string[] {
  return [preferred, ...(tool?.properties.get("label") ?? [])];
}

function unloadKey(name: string, tools: Tools, call: DemoCall): string {
  return name === "" ? (call.loadedKeys.at(-1) ?? "") : skillKey(name, tools, call);
}

function skillKey(name: string, tools: Tools, { system }: DemoCall): string {
  const wanted = keyForm(name);
  const allowed = tools.get("load_context")?.properties.get("key") ?? [];
  const mentioned = system.match(/[\p{L}\p{N}][\p{L}\p{N}_./-]*/gu) ?? [];
  return [...allowed, ...mentioned].find((key) => keyForm(key) === wanted) ?? wanted;
}

function keyForm(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

const schemaShape = z.object({
  properties: z
    .record(
      z.string(),
      z.object({ enum: z.array(z.string()).optional().catch(undefined) }).catch({}),
    )
    .default({}),
  required: z.array(z.string()).default([]),
});

export type OfferedTool = {
  readonly name: string;
  readonly properties: ReadonlyMap<string, readonly string[] | null>;
  readonly required: readonly string[];
};

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

function accepts(tool: OfferedTool, input: Readonly<Record<string, string>>): boolean {
  return (
    tool.required.every((name) => name in input) &&
    Object.entries(input).every(([name, value]) => {
      const allowed = tool.properties.get(name);
      return allowed !== undefined && (allowed === null || allowed.includes(value));
    })
  );
}
