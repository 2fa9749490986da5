import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/client";
import { z } from "zod";
import { cleanText, mapTexts } from "@/lib/chat/core/clean-text";
import { canonicalJson } from "@/lib/text/canonical-json";

export const limits = { tools: 500, title: 80, description: 4_000, schema: 40_000, leftOut: 20 };

export const listedTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  version: z.string(),
});
export type ListedTool = z.output<typeof listedTool>;

export interface ToolsRead {
  readonly tools: readonly Tool[];
  readonly unreadable: readonly string[];
}

export interface ListedTools {
  readonly tools: ListedTool[];
  readonly leftOut: string[];
}

export function listedTools(
  { tools, unreadable }: ToolsRead,
  hide: (text: string) => string,
): ListedTools {
  const leftOut = unreadable.map((what) => hide(cleanText(what)));
  const listed: ListedTool[] = [];
  const names = new Set<string>();
  for (const tool of tools) {
    const named = mapTexts(cleanText(tool), hide);
    if (names.has(tool.name)) leftOut.push(`a second “${named.name}”`);
    else if (listed.length >= limits.tools)
      leftOut.push(`“${named.name}”: only ${limits.tools} are taken`);
    else if (JSON.stringify(tool.inputSchema).length > limits.schema)
      leftOut.push(`“${named.name}”: the description of its input is too long`);
    else listed.push(describedTool(named));
    names.add(tool.name);
  }
  return { tools: listed, leftOut: shortened(leftOut) };
}

function describedTool({
  name,
  title: titled,
  description = "",
  inputSchema,
  annotations,
}: Tool): ListedTool {
  const title = oneLine(titled ?? annotations?.title ?? name).slice(0, limits.title);
  const said = {
    name,
    title: title === "" ? name : title,
    description: description.slice(0, limits.description),
    inputSchema: { ...inputSchema },
  };
  return { ...said, version: versionOf(said, description) };
}

function shortened(leftOut: readonly string[]): string[] {
  const shown = leftOut
    .slice(0, limits.leftOut)
    .map((what) => oneLine(what).slice(0, limits.title * 2));
  const more = leftOut.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more`];
}

/** Covers the whole description, so that nothing can change beyond its cut. */
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

/** `prefix__name`, in the letters that every provider takes; unique within a server. */
export function offeredName(prefix: string, name: string): string {
  const plain = name.replace(/[^\w-]/g, "_");
  const whole = `${prefix}__${plain}`;
  if (plain === name && whole.length <= nameLength) return whole;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${whole.slice(0, nameLength - mark.length - 1)}_${mark}`;
}
