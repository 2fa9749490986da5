import {
  type ContextBlock,
  type FrozenText,
  type FrozenVersions,
  isFrozenPromptProvider,
  type WritableContextProvider,
} from "@/lib/session/context-provider";
import { InMemoryPrompt } from "@/lib/session/in-memory/in-memory-prompt";
import { KeyedMutex } from "@/lib/session/keyed-mutex";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { ContextBlocks } from "./context-blocks";

interface FrozenPromptOptions {
  readonly blocks: ContextBlocks;
  /** Stores the prompt; default in memory. */
  readonly cache?: WritableContextProvider | undefined;
  /** Awaited before storing, to prepare the storage. */
  readonly beforeWrite?: (() => MaybePromise<void>) | undefined;
}

/**
 * The system prompt of a session, rendered once and kept, so that model providers can cache it. Rendered again once a
 * block that could not be read is readable.
 */
export class FrozenPrompt {
  readonly #options: FrozenPromptOptions;
  readonly #cache: WritableContextProvider;
  readonly #rendering = new KeyedMutex();

  constructor(options: FrozenPromptOptions) {
    this.#options = options;
    this.#cache = options.cache ?? new InMemoryPrompt();
  }

  /** Renders and keeps the prompt the first time. */
  freeze(): Promise<string> {
    return this.#rendering.run("", async () => {
      const kept = await this.#cache.get();
      const isCurrent = kept !== null && !(await this.#isOutlived(kept));
      return isCurrent ? kept : (await this.#render()).prompt;
    });
  }

  /** Like `freeze`, with the versions of the blocks. */
  freezeVersioned(): Promise<FrozenText> {
    return this.#rendering.run("", async () => {
      const kept = await this.#kept();
      return kept && !(await this.#isOutlived(kept.prompt)) ? kept : this.#render();
    });
  }

  /** Renders the current blocks, and keeps that. */
  refresh(): Promise<string> {
    return this.#rendering.run("", async () => (await this.#render()).prompt);
  }

  /** The kept prompt, or the current blocks rendered without keeping that. */
  async current(): Promise<string> {
    return (await this.#cache.get()) ?? renderPrompt(await this.#options.blocks.getAll());
  }

  /** Differences between the kept prompt and the current blocks; none before the first freeze. */
  async changes(): Promise<BlockChange[]> {
    const frozen = await this.#cache.get();
    return frozen === null ? [] : changedBlocks(frozen, await this.#options.blocks.getAll());
  }

  async #kept(): Promise<FrozenText | null> {
    if (isFrozenPromptProvider(this.#cache)) return this.#cache.readFrozen();
    const prompt = await this.#cache.get();
    return prompt === null ? null : { prompt, versions: null };
  }

  /** Returns true when a block that was unavailable in the kept prompt has changed. */
  async #isOutlived(kept: string): Promise<boolean> {
    const labels = new Set(unavailableLabels(kept));
    if (labels.size === 0) return false;
    const { blocks } = this.#options;
    const failed = blocks.labels.filter((label) => labels.has(label.toUpperCase()));
    const now = await Promise.all(failed.map((label) => blocks.get(label)));
    return now.some((block) => block && block.error === undefined && !isAsRendered(kept, block));
  }

  async #render(): Promise<FrozenText> {
    const blocks = await this.#options.blocks.getAll();
    const frozen = { prompt: renderPrompt(blocks), versions: versionsOf(blocks) };
    await this.#options.beforeWrite?.();
    if (isFrozenPromptProvider(this.#cache)) await this.#cache.setFrozen(frozen);
    else await this.#cache.set(frozen.prompt);
    return frozen;
  }
}

function versionsOf(blocks: readonly ContextBlock[]): FrozenVersions {
  return Object.fromEntries(
    blocks.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version]])),
  );
}

const ruleLength = 46;
const unavailable = "(not available: ";
const rule = "═".repeat(ruleLength);
/** Replaces a line of a block that would look like a header. */
const harmlessRule = "─".repeat(ruleLength);

/** Empty read-only blocks are left out; other empty ones stay, so that the model can fill them. */
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

interface PromptSection {
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
function unavailableLabels(prompt: string): string[] {
  return prompt.includes(unavailable) ? sectionsOf(prompt).filter(isUnavailable).map(labelOf) : [];
}

/** Returns true when a prompt contains the block as currently rendered. */
function isAsRendered(prompt: string, block: ContextBlock): boolean {
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
