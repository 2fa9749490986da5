import { z } from "zod";
import { apiKeySchema } from "@/lib/llm/provider-settings";

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
  /** It says something else than when the person turned it on, so it asks first. */
  isChanged: boolean;
  /** `null` for a tool of Grove's own. */
  serverId: string | null;
}

/** A server of tools. Its key never leaves Grove. */
export interface ToolServerWire {
  id: string;
  name: string;
  /** `null` for a program of the configuration file, which the page cannot change. */
  url: string | null;
  header: string | null;
  keyHint: string | null;
  /** Why it could not be read last. */
  problem: string | null;
  /** Entries of its list that Grove does not offer, in words. */
  leftOut: readonly string[];
  signIn: "none" | "needed" | "done";
}

/** `GET /api/tools` */
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

/** `PATCH /api/tools` → `ToolsWire`. Tools that are not named keep their policy. */
export const changeToolsRequest = z.object({
  policies: z.record(toolName, toolPolicySchema),
});

/**
 * `PUT /api/tools/servers/:serverId` → `ToolsWire`; reads its tools. An omitted key keeps the stored one unless the
 * address changes.
 */
export const writeServerRequest = z.object({
  name: z.string().trim().min(1, "must not be empty").max(50, "must be at most 50 characters"),
  url: serverUrl,
  /** Default: `Authorization: Bearer`. */
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, "must be the name of a header")
    .nullable()
    .default(null),
  key: apiKeySchema.nullable().optional(),
});
export type WriteServerRequest = z.input<typeof writeServerRequest>;

/** `POST /api/tools/servers/:serverId/sign-in` */
export interface SignInWire {
  /** `null` when none is needed. */
  page: string | null;
}
