import {
  type ShownCall,
  type ShownPart,
  sourcesOf,
  storedParts,
} from "@/app/_message/message-parts";
import { fieldsOf } from "@/app/_message/readable-value";
import { readable, toolName, toolWords } from "@/app/_message/tool-words";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { markdownHtml } from "./markdown-html";

export interface PageContents {
  readonly reasoning: boolean;
  /** Inputs and outputs; that a tool was used is shown always. */
  readonly tools: boolean;
  readonly files: boolean;
}

export interface PageFiles {
  /** Base64; `null` for a file whose bytes are gone. */
  read(sha256: string): Promise<string | null>;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** @param prefix begins every id in it. */
export async function messageHtml(
  message: GroveMessage,
  { shows, files, prefix }: { shows: PageContents; files: PageFiles; prefix: string },
): Promise<string> {
  const blocks: string[] = [];
  for (const part of storedParts(message))
    blocks.push(await partHtml(part, { shows, files, prefix, role: message.role }));
  return `${blocks.join("")}${sourcesHtml(message)}`;
}

async function partHtml(
  part: ShownPart,
  {
    shows,
    files,
    prefix,
    role,
  }: { shows: PageContents; files: PageFiles; prefix: string; role: GroveMessage["role"] },
): Promise<string> {
  switch (part.kind) {
    case "text":
      return role === "assistant"
        ? `<div class="text">${markdownHtml(part.text, `${prefix}-${part.key}`)}</div>`
        : `<p class="said" dir="auto">${escapeHtml(part.text)}</p>`;
    case "reasoning":
      return shows.reasoning && part.text.trim() !== ""
        ? folded("Thought", markdownHtml(part.text, `${prefix}-${part.key}`))
        : "";
    case "tool":
      return toolHtml(part.call, shows);
    case "stored-file":
      return shows.files
        ? fileHtml(part.file, await files.read(part.file.sha256))
        : named(part.file.name);
    case "file":
      return named(part.name);
  }
}

function folded(summary: string, content: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary><div class="text">${content}</div></details>`;
}

function named(name: string): string {
  return `<p class="file">File: ${escapeHtml(name)}</p>`;
}

/** A page of one chat holds nothing of memory, knowledge and other chats. */
export const personalTools =
  /^(set|load|unload|search)_context$|^session_search$|^search_files$|^read_pages$/;

function toolHtml(call: ShownCall, shows: PageContents): string {
  if (personalTools.test(call.name)) return "";
  const { verb, object } = toolWords(call);
  if (!shows.tools) {
    const used = call.state === "done" ? "Used" : verb;
    return `<p class="file">${escapeHtml(`${used} ${toolName(call)}`.trim())}</p>`;
  }
  const output = call.errorText ?? call.output;
  const shown = output === undefined ? "" : valueHtml("Output", output);
  return folded(`${verb} ${object}`.trim(), `${valueHtml("Input", call.input)}${shown}`);
}

function valueHtml(name: string, value: unknown): string {
  const fields = fieldsOf(value);
  const text = fields ? fields.map(([key, each]) => `${key}: ${each}`).join("\n") : readable(value);
  return `<h4>${name}</h4><pre><code>${escapeHtml(text)}</code></pre>`;
}

const pictures = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

function fileHtml(
  { name, alt, mediaType }: { name: string; alt?: string | undefined; mediaType: string },
  base64: string | null,
): string {
  if (base64 === null) return `<p class="file">File: ${escapeHtml(name)} (no longer stored)</p>`;
  if (pictures.has(mediaType))
    return `<img alt="${escapeHtml(alt ?? name)}" src="data:${mediaType};base64,${base64}">`;
  const address = `data:application/octet-stream;base64,${base64}`;
  return `<p class="file"><a download="${escapeHtml(name)}" href="${address}">${escapeHtml(name)}</a></p>`;
}

function sourcesHtml(message: GroveMessage): string {
  const sources = sourcesOf(message);
  if (sources.length === 0) return "";
  const items = sources.map(
    ({ address, title }) =>
      `<li><a href="${escapeHtml(address)}" rel="noreferrer noopener" target="_blank">${escapeHtml(title)}</a></li>`,
  );
  return `<details><summary>Sources</summary><ul>${items.join("")}</ul></details>`;
}
