import type { ToolsWire } from "@/lib/chat/wire/tools";

/** Without those of Grove. */
export function toolsOfServers({ tools }: Pick<ToolsWire, "tools">): ToolsWire["tools"] {
  return tools.filter(({ origin }) => origin.kind === "mcp");
}
