import type { CallToolResult } from "@modelcontextprotocol/client";
import { cleanText } from "@/lib/chat/clean-text";
import type { FileStore } from "@/lib/chat/files/file-store";
import type { QuestionWire } from "@/lib/chat/wire/questions";
import type { AskedQuestion } from "./questions";

/** The answer of a tool, as it is stored in the answer. */
export interface McpOutput {
  readonly text: string;
  /** Kept in Grove, never loaded from elsewhere. */
  readonly files?: readonly McpFile[];
  readonly structured?: unknown;
  /** Of a running call. */
  readonly question?: QuestionWire;
  readonly asked?: readonly AskedQuestion[];
}

export interface McpFile {
  readonly name: string;
  readonly mediaType: string;
  /** `grove-file:<sha256>`; absent for what could not be stored. */
  readonly url?: string;
}

const maxText = 400_000;

/** @throws {Error} with the tool's own words when it reports a failure. */
export async function mcpOutput(result: CallToolResult, files: FileStore): Promise<McpOutput> {
  const texts: string[] = [];
  const kept: McpFile[] = [];
  for (const block of result.content) {
    switch (block.type) {
      case "text":
        texts.push(block.text);
        break;
      case "image":
      case "audio":
        kept.push(await keptFile(files, { ...block, name: `${block.type} ${kept.length + 1}` }));
        break;
      case "resource": {
        const { resource } = block;
        if ("text" in resource) texts.push(`[${resource.uri}]\n${resource.text}`);
        else {
          const mimeType = resource.mimeType ?? "application/octet-stream";
          kept.push(await keptFile(files, { data: resource.blob, mimeType, name: resource.uri }));
        }
        break;
      }
      case "resource_link":
        texts.push(`[Link to ${block.title ?? block.name}: ${block.uri}, not opened]`);
        break;
    }
  }
  const text = cleanText(texts.join("\n\n").slice(0, maxText));
  if (result.isError) throw new Error(text === "" ? "The tool failed without saying why." : text);
  return {
    text,
    ...(kept.length > 0 && { files: kept }),
    ...(text === "" && { structured: result.structuredContent }),
  };
}

async function keptFile(
  files: FileStore,
  { data, mimeType, name }: { data: string; mimeType: string; name: string },
): Promise<McpFile> {
  try {
    const { sha256, mediaType } = await files.put(Buffer.from(data, "base64"), { name });
    return { name, mediaType, url: `grove-file:${sha256}` };
  } catch {
    // Too large or empty: its name says that there was one.
    return { name, mediaType: mimeType };
  }
}

/** As models read it: files by name only. */
export function mcpText({ text, files = [], structured }: McpOutput): string {
  const named = files.map(({ name, mediaType }) => `[${name}: ${mediaType}, shown to the person]`);
  const data = structured === undefined ? [] : [JSON.stringify(structured)];
  return [text, ...data, ...named].filter((part) => part !== "").join("\n\n");
}
