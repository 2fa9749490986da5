import { isToolPart, type SessionMessage, type SessionMessagePart, toolNameOf } from "../message";
import { clip, cutText } from "../text";
import { openingBlocks, wordsAfterBlocks } from "./opening-blocks";
import { plainMarkdown } from "./plain-markdown";
import type { SearchedPart } from "./search-hits";

const maxToolChars = 2_000;
const maxPreviewChars = 120;
const maxDepth = 20;

export interface SearchableSection {
  readonly part: SearchedPart;
  readonly text: string;
}

const searchedByDefault: readonly SearchedPart[] = ["text", "tools", "files"];

/** Includes names of files and sources, and shortened tool inputs and outputs, except of searches in Grove. */
export function searchableText(
  message: Pick<SessionMessage, "parts">,
  parts: readonly SearchedPart[] = searchedByDefault,
): string {
  return searchableSections(message)
    .filter(({ part }) => parts.includes(part))
    .map(({ text }) => text)
    .join("\n");
}

/** The same without the words of tools. */
export function saidText(
  message: Pick<SessionMessage, "parts">,
  parts: readonly SearchedPart[] = searchedByDefault,
): string {
  return searchableText(
    message,
    parts.filter((part) => part !== "tools"),
  );
}

/** Reasoning comes last, because the end of a very long text is not searchable. */
export function searchableSections(message: Pick<SessionMessage, "parts">): SearchableSection[] {
  const sections = message.parts.map(sectionOf).filter(({ text }) => text !== "");
  const isReasoning = ({ part }: SearchableSection) => part === "reasoning";
  return [...sections.filter((each) => !isReasoning(each)), ...sections.filter(isReasoning)];
}

/**
 * One line without Markdown, at most 120 characters with an ellipsis when cut; empty without text. Blocks in tags are
 * left out if words follow.
 */
export function previewOf(message: Pick<SessionMessage, "parts">): string {
  const texts = message.parts.map(textOf).filter((each) => each.trim() !== "");
  const hasWords = (each: string) => openingBlocks(each).rest.trim() !== "";
  const text = wordsAfterBlocks(texts.find(hasWords) ?? texts[0] ?? "") || undefined;
  const shown = text ?? message.parts.map(fileName).find((name) => name !== "") ?? "";
  // A receipt previews every message of a history.
  const near = onOneLine(shown.slice(0, 2 * maxPreviewChars));
  if (near.length > maxPreviewChars) return clip(near, maxPreviewChars);
  const longest = 10 * maxPreviewChars;
  const line = onOneLine(cutText(shown, longest));
  return clip(shown.length > longest ? `${line}…` : line, maxPreviewChars);
}

function onOneLine(text: string): string {
  // Text that is all formatting, such as a rule, stays as it is.
  return (plainMarkdown(text) || text).replace(/\s+/g, " ").trim();
}

function sectionOf(part: SessionMessagePart): SearchableSection {
  if (isToolPart(part)) return { part: "tools", text: toolText(part) };
  if (part.type === "reasoning") return { part: "reasoning", text: String(part.text ?? "") };
  if (part.type === "text") return { part: "text", text: textOf(part) };
  return { part: "files", text: fileName(part) };
}

function textOf(part: SessionMessagePart): string {
  return part.type === "text" && typeof part.text === "string" ? part.text : "";
}

function fileName(part: SessionMessagePart): string {
  const name =
    part.type === "file" ? part.filename : part.type.startsWith("source-") ? part.title : "";
  return typeof name === "string" ? name : "";
}

function toolText(part: SessionMessagePart): string {
  if (toolsThatSearchHere.has(toolNameOf(part))) return "";
  const values = [part.input, part.output, part.errorText].map((value) => {
    return cutText(leafTexts(value).join(" "), maxToolChars);
  });
  return [toolNameOf(part), ...values].filter((text) => text !== "").join(" ");
}

/** Results of these tools would be found again. */
const toolsThatSearchHere: ReadonlySet<string> = new Set(["session_search", "search_context"]);

/** People search for a tool's output, not for field names. */
function leafTexts(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null || depth >= maxDepth) return [];
  return Object.values(value).flatMap((each) => leafTexts(each, depth + 1));
}
