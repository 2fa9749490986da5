import type { Tool } from "ai";
import { keyedProvider, messageOf, type RegisteredBlock } from "../context/context-block";
import { type ContextBlocks, holdsLines, joinLines } from "../context/context-blocks";
import { readEntry } from "../context/session-proposals";
import {
  type ContextBlock,
  isEntryProvider,
  isSearchProvider,
  isSkillProvider,
  isWritableProvider,
  type WriteProvenance,
} from "../context-provider";
import { BlockNotFoundError, InvalidArgumentError, isBlockConflict } from "../errors";
import type { NewProposal, Proposal } from "../proposals";
import { clip } from "../text";
import { entryKeyFor, entryKeyOf } from "./entry-key";
import { callIdOf, labelledInput, type ObjectSchema } from "./tool-input";

export interface HeldWrite extends Omit<NewProposal, "id" | "sessionId" | "messageId" | "program"> {
  readonly toolCallId: string;
  readonly provenance: WriteProvenance | undefined;
}

/** `key` names the entry of a skill or searchable block. */
export interface BlockWrite {
  readonly blockId: string;
  readonly label: string;
  readonly key?: string | undefined;
  readonly action: "replace" | "append";
  readonly provenance?: WriteProvenance | undefined;
}

export interface SetContextOptions {
  /** Default: the model. */
  readonly provenance?: WriteProvenance | undefined;
  readonly onWrite?: ((write: BlockWrite) => void) | undefined;
  /** Versions the model may have seen, by block id. Replacing a newer one is refused with the current text. */
  readonly seenVersions?: Map<string, number> | undefined;
  /**
   * Skips text the block already has as whole lines, so that a regenerated answer does not note it twice. Default
   * `false`.
   */
  readonly appendsOnce?: boolean | undefined;
  readonly hold?: ((write: HeldWrite) => Promise<void>) | undefined;
  /**
   * The stored write of a call, `null` before it is held. With it, held writes need approval, and are made by accepting
   * their proposals.
   */
  readonly proposalOf?: ((toolCallId: string) => Promise<Proposal | null>) | undefined;
  /** Writes to other blocks than those of skills are made. Default `false`. */
  readonly holdsOnlySkills?: boolean | undefined;
}

export type SetContextOutput =
  | {
      readonly outcome: "written";
      readonly label: string;
      readonly key?: string;
      readonly tokens?: number;
      readonly maxTokens?: number;
    }
  | { readonly outcome: "unchanged"; readonly label: string }
  | { readonly outcome: "proposed"; readonly label: string }
  | { readonly outcome: "refused"; readonly reason: string };

export interface SetContextInput {
  readonly label: string;
  readonly content: string;
  readonly action?: "replace" | "append" | undefined;
  readonly metadata?:
    | { readonly title?: string | undefined; readonly description?: string | undefined }
    | undefined;
}

const maxTitleChars = 80;

const plainProperties: ObjectSchema["properties"] = {
  content: { type: "string", description: "The text to write." },
  action: {
    type: "string",
    enum: ["replace", "append"],
    description: "append adds a line; replace (default) rewrites the block.",
  },
};

const keyedProperties: ObjectSchema["properties"] = {
  ...plainProperties,
  metadata: {
    type: "object",
    description: "For blocks with entries.",
    properties: {
      title: { type: "string", description: "Names the entry; the same title updates it." },
      description: { type: "string", description: "One line about the entry." },
    },
    required: [],
  },
};

const keyedHint = "\nKeyed entries take metadata: { title, description }.";

export type SetContextTool = Tool<SetContextInput, SetContextOutput>;

export function setContextTool(
  blocks: ContextBlocks,
  options: SetContextOptions = {},
): SetContextTool | null {
  const writable = blocks.registered.filter(
    ({ provider, writers }) => isWritableProvider(provider) && writers !== "person",
  );
  if (writable.length === 0) return null;
  const isKeyed = writable.some(keyedProvider);
  const properties = isKeyed ? keyedProperties : plainProperties;
  const labels = writable.map(({ label }) => label);
  const calls = new WriteCalls(blocks, options);
  return {
    description: `Write to a context block, so that it is remembered.\n${writable.map(describe).join("\n")}${isKeyed ? keyedHint : ""}`,
    inputSchema: labelledInput(labels, { properties, required: ["content"] }),
    ...(options.proposalOf && {
      needsApproval: (input, options) => calls.waits(callIdOf(options), input),
    }),
    execute: (input, options) => calls.outcome(callIdOf(options), input),
    toModelOutput: ({ output }) => ({ type: "text", value: textFor(output) }),
  };
}

/** Earlier versions stored outputs as text. */
function textFor(output: SetContextOutput | string): string {
  if (typeof output === "string") return output;
  switch (output.outcome) {
    case "written":
      return output.key === undefined
        ? `Written to ${output.label}. Usage: ${usage(output)}`
        : `Indexed "${output.key}" in ${output.label}.`;
    case "unchanged":
      return `Already in ${output.label}, word for word. Nothing was written.`;
    case "proposed":
      return `Proposed for ${output.label}. Nothing is written yet: the person was asked and decides later, so go on without it.`;
    case "refused":
      return `Error: ${output.reason}`;
  }
}

function usage({ tokens = 0, maxTokens }: { tokens?: number; maxTokens?: number }): string {
  if (maxTokens === undefined) return `${tokens} tokens`;
  return `${Math.round((100 * tokens) / maxTokens)}% (${tokens}/${maxTokens} tokens)`;
}

function describe({ label, description, provider }: RegisteredBlock): string {
  const kind = isSkillProvider(provider)
    ? "skill collection, keyed entries"
    : isSearchProvider(provider)
      ? "searchable, keyed entries"
      : "writable";
  return `- "${label}" (${kind}): ${description ?? "no description"}`;
}

class WriteCalls {
  readonly #blocks: ContextBlocks;
  readonly #options: SetContextOptions;
  readonly #outcomes = new Map<string, SetContextOutput>();

  constructor(blocks: ContextBlocks, options: SetContextOptions) {
    this.#blocks = blocks;
    this.#options = options;
  }

  /** `false` when not held, or impossible. */
  async waits(toolCallId: string, input: SetContextInput): Promise<boolean> {
    const { hold, proposalOf } = this.#options;
    const block = this.#find(input);
    if (!hold || !block || !isHeld(block, this.#options)) return false;
    try {
      if (await proposalOf?.(toolCallId)) return true;
    } catch {
      // Carrying the call out fails for the same reason, and reports it.
      return false;
    }
    const output = await this.#write(toolCallId, input).catch(refused);
    if (output.outcome === "proposed") return true;
    this.#outcomes.set(toolCallId, output);
    return false;
  }

  /** Never throws: that would end the run. */
  async outcome(toolCallId: string, input: SetContextInput): Promise<SetContextOutput> {
    const known = this.#outcomes.get(toolCallId);
    this.#outcomes.delete(toolCallId);
    if (known) return known;
    try {
      const proposal = await this.#options.proposalOf?.(toolCallId);
      return proposal ? await this.#decided(proposal) : await this.#write(toolCallId, input);
    } catch (error) {
      return refused(error);
    }
  }

  #find(input: SetContextInput): RegisteredBlock | undefined {
    return this.#blocks.registered.find(({ label }) => label === input.label);
  }

  async #write(toolCallId: string, input: SetContextInput): Promise<SetContextOutput> {
    const block = this.#find(input);
    if (!block) throw new BlockNotFoundError(input.label);
    return new ContextWriter(this.#blocks, block, this.#options).take(toolCallId, input);
  }

  async #decided({ blockId, key, status, version }: Proposal): Promise<SetContextOutput> {
    const block = this.#blocks.registered.find(({ id }) => id === blockId);
    if (!block) throw new BlockNotFoundError(blockId);
    if (status !== "accepted")
      return { outcome: "refused", reason: "The person has not accepted this." };
    const { label } = block;
    if (version !== null) this.#options.seenVersions?.set(blockId, version);
    if (key !== null) return { outcome: "written", label, key };
    const { tokens = 0, maxTokens } = (await this.#blocks.get(label)) ?? {};
    return { outcome: "written", label, tokens, ...(maxTokens !== undefined && { maxTokens }) };
  }
}

function refused(error: unknown): SetContextOutput {
  return { outcome: "refused", reason: messageOf(error) };
}

function isHeld(
  { provider }: RegisteredBlock,
  { hold, holdsOnlySkills = false }: SetContextOptions,
): boolean {
  return hold !== undefined && (!holdsOnlySkills || isSkillProvider(provider));
}

interface EntryToWrite {
  readonly key: string;
  readonly title: string;
  readonly description: string | null;
  readonly content: string;
  readonly version: number | null;
}

class ContextWriter {
  readonly #blocks: ContextBlocks;
  readonly #block: RegisteredBlock;
  readonly #options: SetContextOptions;

  constructor(blocks: ContextBlocks, block: RegisteredBlock, options: SetContextOptions) {
    this.#blocks = blocks;
    this.#block = block;
    this.#options = options;
  }

  take(toolCallId: string, input: SetContextInput): Promise<SetContextOutput> {
    const { hold } = this.#options;
    if (hold && isHeld(this.#block, this.#options))
      return this.#hold(input, (write) => hold({ ...write, toolCallId }));
    return keyedProvider(this.#block) ? this.#writeEntry(input) : this.#writeText(input);
  }

  async #writeText({ content, action = "replace" }: SetContextInput): Promise<SetContextOutput> {
    const { id: blockId, label } = this.#block;
    const provenance = this.#provenance;
    const written =
      action === "append" ? await this.#append(content) : await this.#replace(content);
    if (!written) return { outcome: "unchanged", label };
    if (written.version !== undefined) this.#options.seenVersions?.set(blockId, written.version);
    this.#options.onWrite?.({ blockId, label, action, provenance });
    const { tokens, maxTokens } = written;
    return { outcome: "written", label, tokens, ...(maxTokens !== undefined && { maxTokens }) };
  }

  #append(content: string): Promise<ContextBlock | null> {
    const { label } = this.#block;
    const options = { provenance: this.#provenance };
    return this.#options.appendsOnce
      ? this.#blocks.appendOnce(label, content, options)
      : this.#blocks.append(label, content, options);
  }

  #replace(content: string): Promise<ContextBlock> {
    const { id, label } = this.#block;
    const expectedVersion = this.#options.seenVersions?.get(id);
    return this.#orSayWhatIsThere(() =>
      this.#blocks.replace(label, content, { provenance: this.#provenance, expectedVersion }),
    );
  }

  async #writeEntry(input: SetContextInput): Promise<SetContextOutput> {
    const { id: blockId, label } = this.#block;
    const provenance = this.#provenance;
    const { key, title, description, content } = await this.#entryToWrite(input);
    const entry = { key, content, description: description ?? undefined };
    await this.#blocks.setEntry(label, entry, { title, provenance });
    const { action = "replace" } = input;
    this.#options.onWrite?.({ blockId, label, key, action, provenance });
    return { outcome: "written", label, key };
  }

  async #hold(
    input: SetContextInput,
    hold: (write: Omit<HeldWrite, "toolCallId">) => Promise<void>,
  ): Promise<SetContextOutput> {
    const { content, action = "replace" } = input;
    const { id: blockId, label } = this.#block;
    const isKeyed = keyedProvider(this.#block) !== null;
    const target = isKeyed ? await this.#entryTarget(input) : await this.#textTarget(input);
    if (this.#options.appendsOnce && action === "append" && !isKeyed) {
      const present = (await this.#blocks.get(label))?.content ?? "";
      if (holdsLines(present, content)) return { outcome: "unchanged", label };
    }
    await hold({ blockId, ...target, action, content, provenance: this.#options.provenance });
    return { outcome: "proposed", label };
  }

  async #textTarget({ content: text, action = "replace" }: SetContextInput) {
    const { id, label } = this.#block;
    const expectedVersion = action === "replace" ? this.#options.seenVersions?.get(id) : undefined;
    const { version } = await this.#orSayWhatIsThere(() =>
      this.#blocks.preview(label, { action, text, expectedVersion }),
    );
    return { key: null, title: null, description: null, baseVersion: version };
  }

  async #entryTarget(input: SetContextInput) {
    const { key, title, description, content, version } = await this.#entryToWrite(input);
    this.#blocks.assertEntryFits(this.#block.label, content);
    return { key, title, description, baseVersion: version };
  }

  async #entryToWrite({ content, action, metadata }: SetContextInput): Promise<EntryToWrite> {
    const title = metadata?.title?.trim() || null;
    const key = await this.#keyFor(title, content);
    const before = await readEntry(this.#block, key);
    const whole = action === "append" ? joinLines(before.content, content) : content;
    const description = metadata?.description?.trim() || (before.description ? null : title);
    return {
      key,
      title: title ?? before.title ?? clip(content, maxTitleChars),
      description,
      content: whole,
      version: before.version,
    };
  }

  async #keyFor(title: string | null, content: string): Promise<string> {
    if (title === null) return entryKeyOf(content);
    const { provider } = this.#block;
    const known = isEntryProvider(provider) ? await provider.entry(title) : null;
    return known ? title : entryKeyFor(title);
  }

  /** Refuses a write based on an old version with the current text. */
  async #orSayWhatIsThere<Result>(write: () => Promise<Result>): Promise<Result> {
    const { id, label } = this.#block;
    try {
      return await write();
    } catch (error) {
      if (!isBlockConflict(error)) throw error;
      this.#options.seenVersions?.set(id, error.currentVersion);
      const now = (await this.#blocks.get(label))?.content;
      throw new InvalidArgumentError(
        `Block "${label}" was changed meanwhile, so nothing was written. It now says:\n${now}`,
        { cause: error },
      );
    }
  }

  get #provenance(): WriteProvenance {
    return this.#options.provenance ?? { author: "model" };
  }
}
