import {
  type ContextBlock,
  type FrozenText,
  type FrozenVersions,
  isFrozenPromptProvider,
  keyedKinds,
  type WritableContextProvider,
} from "../context-provider";
import { InMemoryPrompt } from "../in-memory/in-memory-prompt";
import { KeyedMutex } from "../keyed-mutex";
import type { MaybePromise } from "../session-provider";
import type { ContextBlocks } from "./context-blocks";

interface FrozenPromptOptions {
  readonly blocks: ContextBlocks;
  readonly cache?: WritableContextProvider | undefined;
  readonly beforeWrite?: (() => MaybePromise<void>) | undefined;
}

/** Rendered once and kept for the providers' caches; again once an unreadable block can be read. */
export class FrozenPrompt {
  readonly #options: FrozenPromptOptions;
  readonly #cache: WritableContextProvider;
  readonly #rendering = new KeyedMutex();

  constructor(options: FrozenPromptOptions) {
    this.#options = options;
    this.#cache = options.cache ?? new InMemoryPrompt();
  }

  freeze(): Promise<string> {
    return this.#rendering.run("", async () => {
      const kept = await this.#cache.get();
      const isCurrent = kept !== null && !(await this.#isOutlived(kept));
      return isCurrent ? kept : (await this.#render()).prompt;
    });
  }

  freezeVersioned(
    known: FrozenText | null | undefined,
    { renews = false }: { readonly renews?: boolean | undefined },
  ): Promise<FrozenText> {
    return this.#rendering.run("", async () => {
      const kept = known === undefined ? await this.#kept() : known;
      const isCurrent = kept && !renews && !(await this.#isOutlived(kept.prompt));
      return isCurrent ? kept : this.#render(kept);
    });
  }

  refresh(): Promise<string> {
    return this.#rendering.run("", async () => (await this.#render()).prompt);
  }

  /** The kept prompt, or the current blocks rendered without keeping them. */
  async current(): Promise<string> {
    return (await this.#cache.get()) ?? renderPrompt(await this.#options.blocks.getAll());
  }

  /** Empty before the first freeze. */
  async changes(): Promise<BlockChange[]> {
    const frozen = await this.#cache.get();
    return frozen === null ? [] : changedBlocks(frozen, await this.#options.blocks.getAll());
  }

  async #kept(): Promise<FrozenText | null> {
    if (isFrozenPromptProvider(this.#cache)) return this.#cache.readFrozen();
    const prompt = await this.#cache.get();
    return prompt === null ? null : { prompt, versions: null };
  }

  async #isOutlived(kept: string): Promise<boolean> {
    const labels = new Set(unavailableLabels(kept));
    if (labels.size === 0) return false;
    const { blocks } = this.#options;
    const failed = blocks.labels.filter((label) => labels.has(label.toUpperCase()));
    const now = await Promise.all(failed.map((label) => blocks.get(label)));
    return now.some((block) => block && block.error === undefined && !isAsRendered(kept, block));
  }

  async #render(kept: FrozenText | null = null): Promise<FrozenText> {
    const blocks = await this.#options.blocks.getAll();
    const frozen = { prompt: renderPrompt(blocks), versions: versionsOf(blocks) };
    if (kept && isSame(kept, frozen)) return kept;
    await this.#options.beforeWrite?.();
    if (isFrozenPromptProvider(this.#cache)) await this.#cache.setFrozen(frozen);
    else await this.#cache.set(frozen.prompt);
    return frozen;
  }
}

function isSame(kept: FrozenText, rendered: FrozenText): boolean {
  const versionsIn = ({ versions }: FrozenText) =>
    JSON.stringify(versions && Object.entries(versions).sort());
  return kept.prompt === rendered.prompt && versionsIn(kept) === versionsIn(rendered);
}

function versionsOf(blocks: readonly ContextBlock[]): FrozenVersions {
  return Object.fromEntries(
    blocks.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version]])),
  );
}

const ruleLength = 46;
const unavailable = "(not available: ";
const rule = "═".repeat(ruleLength);
const harmlessRule = "─".repeat(ruleLength);

/** Leaves out empty read-only blocks; the model can fill others. */
export function renderPrompt(blocks: readonly ContextBlock[]): string {
  return blocks.filter(isRendered).map(renderBlock).join("\n\n");
}

export interface BlockChange {
  /** In capitals for a removed block, of which only the frozen header is left. */
  readonly label: string;
  readonly change: "added" | "changed" | "removed";
  readonly before: string;
  readonly after: string;
}

export interface PromptSection {
  readonly label: string;
  readonly content: string;
  /** False for a block that could not be read, of which `content` says why. */
  readonly isAvailable: boolean;
}

/** The blocks in a rendered prompt, in order. */
export function promptSections(prompt: string): PromptSection[] {
  return sectionsOf(prompt).map((section) => ({
    label: labelOf(section),
    content: contentOf(section),
    isAvailable: !isUnavailable(section),
  }));
}

/** Changes in block order, removed blocks last. */
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

function unavailableLabels(prompt: string): string[] {
  return prompt.includes(unavailable) ? sectionsOf(prompt).filter(isUnavailable).map(labelOf) : [];
}

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

function tagOf(block: ContextBlock): string {
  const keyed = Object.values(keyedKinds).find(({ isBlock }) => isBlock(block));
  return keyed?.tag ?? (block.writable ? "[writable]" : "[readonly]");
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
