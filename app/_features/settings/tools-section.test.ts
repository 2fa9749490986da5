import { expect, test } from "vitest";
import type { ToolWire } from "@/lib/chat/wire/tools";
import { toolGroups } from "./tools-section";

const server = {
  ...{ id: "s1", name: "Files", url: null, header: null, keyHint: null, problem: null },
  ...{ lastLines: [], leftOut: [], signIn: "none" as const },
};

function tool(name: string, change: Partial<ToolWire>): ToolWire {
  const origin = { kind: "mcp", name: "Files" } as const;
  return {
    name,
    title: name,
    note: "",
    origin,
    policy: "on",
    isChanged: false,
    serverId: null,
    tokens: null,
    ...change,
  };
}

test("each tool can be switched, whatever source it has", () => {
  const tools = [
    tool("search", { origin: { kind: "web", name: "Web" } }),
    tool("read", { serverId: "s1" }),
    tool("left", { serverId: "gone", origin: { kind: "mcp", name: "Gone" } }),
    tool("roll", { origin: { kind: "grove", name: "Dice" } }),
    tool("toss", { origin: { kind: "grove", name: "Dice" } }),
  ];
  const { web, others } = toolGroups({ tools, servers: [server] });
  const names = (list: readonly ToolWire[]) => list.map(({ name }) => name);
  expect(names(web)).toEqual(["search"]);
  expect([...others].map(([origin, list]) => [origin, names(list)])).toEqual([
    ["Gone", ["left"]],
    ["Dice", ["roll", "toss"]],
  ]);
});
