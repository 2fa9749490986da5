import { z } from "zod";

/** Never offered, offered with a question to the person before each call, or offered. */
export const toolPolicySchema = z.enum(["off", "ask", "on"]);
export type ToolPolicy = z.output<typeof toolPolicySchema>;

export interface ToolOrigin {
  kind: "grove" | "web" | "mcp";
  /** As the person knows it, such as the name of a server. */
  name: string;
}

export interface ToolWire {
  name: string;
  title: string;
  note: string;
  origin: ToolOrigin;
  policy: ToolPolicy;
}

/** `GET /api/tools` */
export interface ToolsWire {
  tools: ToolWire[];
}

const toolName = z.string().regex(/^[\w-]{1,64}$/, "must be the name of a tool");

/** `PATCH /api/tools` → `ToolsWire`. Tools that are not named keep their policy. */
export const changeToolsRequest = z.object({
  policies: z.record(toolName, toolPolicySchema),
});
