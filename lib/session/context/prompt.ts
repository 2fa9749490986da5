import type { ContextBlock } from "./context-block";

const ruleLength = 46;
const unavailable = "(not available: ";
const rule = "═".repeat(ruleLength);
/** Replaces a line of a block that would look like a header. */
const harmlessRule = "─".repeat(ruleLength);

/**
 * Renders the system prompt: every block under a header, in order, separated by a blank line. Empty read-only blocks
 * are left out; other empty ones stay, so that the model can fill them.
 */
export function renderPrompt(blocks: readonly ContextBlock[]): string {
  return blocks.filter(isRendered).map(renderBlock).join("\n\n");
}

/** A block whose frozen text differs from its current rendering. */
export interface BlockChange {
  /** As registered; in capitals for a removed block, of which only the frozen header is left. */
  readonly label: string;
  readonly change: "added" | "changed" | "removed";
  /** Text in the frozen prompt and current text; `""` where there is none. */
  readonly before: string;
  readonly after: string;
}

export interface PromptSection {
  /** In capitals, as in the header. */
  readonly label: string;
  readonly content: string;
}

export function promptSections(prompt: string): PromptSection[] {
  return sectionsOf(prompt).map((section) => ({
    label: labelOf(section),
    content: contentOf(section),
  }));
}

/** Differences between a frozen prompt and the current blocks, in block order, removed ones last. */
export function changedBlocks(frozen: string, now: readonly ContextBlock[]): BlockChange[] {
  const before = new Map(sectionsOf(frozen).map((section) => [labelOf(section), section]));
  const present = now.filter(isRendered);
  const changes = present.flatMap((block): BlockChange[] => {
    const section = before.get(block.label.toUpperCase());
    const now = renderBlock(block);
    if (section === now) return [];
    // A failing source may report a different error each time.
    if (section !== undefined && isUnavailable(section) && block.error !== undefined) return [];
    const change = section === undefined ? "added" : "changed";
    const frozenText = section === undefined ? "" : contentOf(section);
    return [{ label: block.label, change, before: frozenText, after: contentOf(now) }];
  });
  const labels = new Set(present.map(({ label }) => label.toUpperCase()));
  const removed = [...before].flatMap(([label, section]): BlockChange[] =>
    labels.has(label) ? [] : [{ label, change: "removed", before: contentOf(section), after: "" }],
  );
  return [...changes, ...removed];
}

/** Labels, in capitals, of the blocks that were unavailable when a prompt was rendered. */
export function unavailableLabels(prompt: string): string[] {
  return prompt.includes(unavailable) ? sectionsOf(prompt).filter(isUnavailable).map(labelOf) : [];
}

/** Returns true when a prompt contains the block as currently rendered. */
export function isAsRendered(prompt: string, block: ContextBlock): boolean {
  return sectionsOf(prompt).includes(renderBlock(block));
}

function isUnavailable(section: string): boolean {
  return contentOf(section).startsWith(unavailable);
}

function isRendered(block: ContextBlock): boolean {
  return block.content !== "" || block.error !== undefined || tagOf(block) !== "[readonly]";
}

function renderBlock(block: ContextBlock): string {
  const content = block.error === undefined ? block.content : `${unavailable}${block.error})`;
  return [rule, headerOf(block), rule, neutralized(content)].join("\n");
}

function headerOf(block: ContextBlock): string {
  const description = block.description ? ` (${oneLine(block.description)})` : "";
  return `${block.label.toUpperCase()}${description}${usageOf(block)} ${tagOf(block)}`;
}

function usageOf({ tokens, maxTokens }: ContextBlock): string {
  if (maxTokens === undefined) return "";
  const percent = maxTokens === 0 ? 100 : Math.round((100 * tokens) / maxTokens);
  return ` [${percent}% — ${tokens}/${maxTokens} tokens]`;
}

function tagOf({ writable, isSkill, isSearchable }: ContextBlock): string {
  if (isSearchable) return "[searchable]";
  if (isSkill) return "[loadable]";
  return writable ? "[writable]" : "[readonly]";
}

function neutralized(content: string): string {
  return content.replace(new RegExp(`═{${ruleLength},}`, "g"), harmlessRule);
}

function oneLine(text: string): string {
  return neutralized(text.replace(/\s+/g, " ").trim());
}

/** Content cannot contain a rule, so every second one opens a block. */
function sectionsOf(prompt: string): string[] {
  const parts = prompt.split(`${rule}\n`);
  const sections: string[] = [];
  for (let index = 1; index + 1 < parts.length; index += 2) {
    const isLast = index + 2 >= parts.length;
    const content = parts[index + 1] ?? "";
    sections.push(
      `${rule}\n${parts[index]}${rule}\n${isLast ? content : content.replace(/\n\n$/, "")}`,
    );
  }
  return sections;
}

function contentOf(section: string): string {
  return section.split("\n").slice(3).join("\n");
}

function labelOf(section: string): string {
  const header = section.split("\n")[1] ?? "";
  return header
    .replace(/ \[(?:searchable|loadable|readonly|writable)\]$/, "")
    .replace(/ [([].*$/, "");
}
