import type { DemoCall } from "./demo-call";
import type { DemoIntent } from "./demo-intents";
import { accepts, type OfferedTool } from "./offered-tools";

/** A tool the demo model calls. */
export type DemoToolCall = {
  readonly toolName: string;
  readonly input: Readonly<Record<string, string>>;
};

type Tools = ReadonlyMap<string, OfferedTool>;

/**
 * The tool call that does what was asked for.
 *
 * @returns `null` when no offered tool can: nothing is called that is not offered, or with values it refuses.
 */
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
    case "unload":
      return documents("unload_context", unloadKey(intent.name, tools, call), { tools, call });
  }
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

/** Whether the prompt's section of a block has a line for a key. */
function lists(system: string, label: string, key: string): boolean {
  const sections = system.split(/^═+$/m);
  const at = sections.findIndex((section) => {
    return section.trim().replace(/ [([].*$/s, "") === label.toUpperCase();
  });
  const lines = sections[at + 1]?.split("\n") ?? [];
  return at >= 0 && lines.some((line) => line === `- ${key}` || line.startsWith(`- ${key}: `));
}

/** The preferred label first, then whatever the tool allows. */
function labels(tool: OfferedTool | undefined, preferred: string): string[] {
  return [preferred, ...(tool?.properties.get("label") ?? [])];
}

function unloadKey(name: string, tools: Tools, call: DemoCall): string {
  return name === "" ? (call.loadedKeys.at(-1) ?? "") : skillKey(name, tools, call);
}

/** The key people mean by a name: one the tool allows or the prompt mentions, else the name in key form. */
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
