import { z } from "zod";
import { apiKeySchema } from "@/lib/llm/provider-settings";

export const toolPolicySchema = z.enum(["off", "ask", "on"]);
export type ToolPolicy = z.output<typeof toolPolicySchema>;

export const webSearchName = "web_search";
export const readPageName = "read_page";

export interface ToolOrigin {
  kind: "grove" | "web" | "mcp";
  name: string;
}

export interface ToolWire {
  name: string;
  title: string;
  note: string;
  origin: ToolOrigin;
  policy: ToolPolicy;
  isChanged: boolean;
  serverId: string | null;
  /** An estimate for its definition; `null` where it depends on the model. */
  tokens: number | null;
}

export interface ToolServerWire {
  id: string;
  name: string;
  /** `null` for a program of the configuration file, which the page cannot change. */
  url: string | null;
  header: string | null;
  keyHint: string | null;
  problem: string | null;
  lastLines: readonly string[];
  leftOut: readonly string[];
  signIn: "none" | "needed" | "done";
}

export interface ToolsWire {
  tools: ToolWire[];
  servers: ToolServerWire[];
}

const serverUrl = z
  .url({ protocol: /^https?$/, error: "An address starts with http:// or https://." })
  .max(2_000)
  .refine((address) => {
    const url = URL.parse(address);
    return url !== null && url.username === "" && url.password === "";
  }, "An address holds no user name or password.");

const toolName = z.string().regex(/^[\w-]{1,64}$/, "must be the name of a tool");

export const changeToolsRequest = z.object({ policies: z.record(toolName, toolPolicySchema) });

/** An omitted key keeps the stored one unless the address changes. */
export const writeServerRequest = z.object({
  name: z.string().trim().min(1, "must not be empty").max(50, "must be at most 50 characters"),
  url: serverUrl,
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, "must be the name of a header")
    .nullable()
    .default(null),
  key: apiKeySchema.nullable().optional(),
});
export type WriteServerRequest = z.input<typeof writeServerRequest>;

export interface SignInWire {
  page: string | null;
}
