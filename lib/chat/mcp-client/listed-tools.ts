import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/client";
import { z } from "zod";
import { cleanText, mapTexts } from "@/lib/chat/clean-text";
import { canonicalJson } from "@/lib/session/internal";

const limits = { tools: 200, title: 80, description: 4_000, schema: 40_000 };

/** A tool as its server described it when it was read last. All of it is the server's word. */
export const listedTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  /** Changes with any of the above. */
  version: z.string(),
});
export type ListedTool = z.output<typeof listedTool>;

/** Without those too large to offer. `hide` removes the server's keys. */
export function listedTools(tools: readonly Tool[], hide: (text: string) => string): ListedTool[] {
  return tools.slice(0, limits.tools).flatMap((tool) => {
    if (JSON.stringify(tool.inputSchema).length > limits.schema) return [];
    const {
      name,
      title: titled,
      description = "",
      inputSchema,
      annotations,
    } = mapTexts(cleanText(tool), hide);
    const title = oneLine(titled ?? annotations?.title ?? name).slice(0, limits.title);
    const said = {
      name,
      title: title === "" ? name : title,
      description: description.slice(0, limits.description),
      inputSchema: { ...inputSchema },
    };
    return [{ ...said, version: versionOf(said, description) }];
  });
}

/** Of the whole description, so that nothing can change beyond its cut. */
function versionOf(said: Omit<ListedTool, "version">, description: string): string {
  const text = canonicalJson({ ...said, description });
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

/** Control and direction characters could make a name look like another. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const nameLength = 64;

/** `prefix__name`, in the letters that every provider takes; unique for different tools of a server. */
export function offeredName(prefix: string, name: string): string {
  const plain = name.replace(/[^\w-]/g, "_");
  const whole = `${prefix}__${plain}`;
  if (plain === name && whole.length <= nameLength) return whole;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${whole.slice(0, nameLength - mark.length - 1)}_${mark}`;
}
