import {
  BlockConflictError,
  type BlockExistsError,
  BlockNotFoundError,
  BlockReadonlyError,
  BlockTooLargeError,
  type ContextBlock,
  type ContextEntry,
  entryKeyFor,
  isSessionError,
} from "grove-session";
import type {
  DocumentVersion,
  EditableEntries,
  SessionErrorCode,
  WriteProvenance,
} from "grove-session/ports";
import type { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { blockKinds, holdsSkills, isOneText } from "@/lib/chat/sessions/block-kinds";
import {
  type BlockDefinition,
  blocksOf,
  entriesOf,
  hasFilesBlock,
  isReserved,
  labelProblem,
  refOf,
  requireBlock,
} from "@/lib/chat/sessions/blocks";
import { openWith } from "@/lib/chat/sessions/open-session";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { assistantsLabel } from "@/lib/chat/wire/assistants";
import type { DeletionWire } from "@/lib/chat/wire/deletions";
import { filesLabel } from "@/lib/chat/wire/knowledge";
import type {
  addEntryRequest,
  BlockWire,
  changeBlockRequest,
  createBlockRequest,
  EntryDocumentWire,
  VersionWire,
  writeBlockRequest,
  writeEntryRequest,
} from "@/lib/chat/wire/memory";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { allowedAssistant, assistantEntry, newKeyFor } from "./assistant-entry";
import { allowedFile, withFacts } from "./file-entries";
import { entryWire, versionWire } from "./memory-wire";
import { listSource, readSourceEntry } from "./skills";

/** More would clutter the panel and every prompt. */
const maxOwnBlocks = 50;
const versionLimit = 200;
const entryLimit = 5_000;

const titleOrder = new Intl.Collator("en", { numeric: true });

export interface TextPlace {
  readonly blockId: string;
  readonly key?: string | undefined;
}

export class Memory {
  readonly #owner: OwnerData;
  readonly #sessionId: string | null;

  constructor(owner: OwnerData, sessionId: string | null) {
    this.#owner = owner;
    this.#sessionId = sessionId;
  }

  async list(): Promise<BlockWire[]> {
    const blocks = await blocksOf(this.#owner, this.#sessionId);
    const session = openWith(this.#owner, this.#sessionId, blocks);
    return Promise.all(
      blocks.map(async (block) =>
        this.#blockWire(block, await session.getContextBlock(block.label)),
      ),
    );
  }

  async read(blockId: string): Promise<BlockWire> {
    return this.#view(await this.#require(blockId));
  }

  async write(
    blockId: string,
    { content, expectedVersion }: z.output<typeof writeBlockRequest>,
  ): Promise<BlockWire> {
    const block = await this.#requirePlain(blockId);
    const session = openWith(this.#owner, this.#sessionId, [block]);
    const options = { provenance: this.#provenance, expectedVersion };
    const written = await session.replaceContextBlock(block.label, cleanText(content), options);
    return this.#blockWire(block, written);
  }

  async restoreText(
    blockId: string,
    { content, expectedVersion }: { content: string | null; expectedVersion: number },
  ): Promise<void> {
    const { initial = "" } = await this.#requirePlain(blockId);
    await this.write(blockId, { content: content ?? initial, expectedVersion });
  }

  async versions({ blockId, key }: TextPlace): Promise<VersionWire[]> {
    return (await this.documentVersions({ blockId, key }, versionLimit)).map(versionWire);
  }

  async documentVersions({ blockId, key }: TextPlace, limit: number): Promise<DocumentVersion[]> {
    if (key !== undefined) return (await this.#entries(blockId)).entryVersions(key, { limit });
    const block = await this.#requirePlain(blockId);
    return this.#owner.blocks.text(refOf(block, this.#sessionId)).versions({ limit });
  }

  async entries(blockId: string, find?: string): Promise<EntryDocumentWire[]> {
    if (blockId === filesLabel && !hasFilesBlock(await this.#owner.blocks.list(null))) return [];
    const block = await this.#require(blockId);
    const entries = await this.#found(block, find);
    const loaded =
      this.#sessionId === null
        ? []
        : await this.#owner.store.messages(this.#sessionId).getLoadedSkills();
    if (blockId === filesLabel) return withFacts(this.#owner.files, entries);
    const keys = new Set(loaded.flatMap(({ label, key }) => (label === block.label ? key : [])));
    return entries.map((entry) => ({ ...entry, loaded: keys.has(entry.key) }));
  }

  async entry(blockId: string, key: string): Promise<EntryDocumentWire> {
    const { source } = await this.#require(blockId);
    if (source) return readSourceEntry(source, key);
    return entryWire(await requireEntry(await this.#entries(blockId), key));
  }

  async addEntry(
    blockId: string,
    given: z.output<typeof addEntryRequest>,
  ): Promise<EntryDocumentWire> {
    const isAssistant = blockId === assistantsLabel;
    const entry = isAssistant ? assistantEntry(given) : given;
    const entries = await this.#entries(blockId);
    const key = isAssistant ? await newKeyFor(entries, entry.title) : entryKeyFor(entry.title);
    const present = await entries.entry(key);
    if (present) throw entryTaken(present.title);
    try {
      // A deleted entry of this title would otherwise pass on its description.
      const { description = "" } = entry;
      return await this.writeEntry(blockId, key, { ...entry, description, expectedVersion: null });
    } catch (error) {
      if (isSessionError(error) && error.code === "block-conflict")
        throw entryTaken(entry.title, error);
      throw error;
    }
  }

  async writeEntry(
    blockId: string,
    key: string,
    { expectedVersion, ...entry }: z.output<typeof writeEntryRequest>,
  ): Promise<EntryDocumentWire> {
    const entries = await this.#entries(blockId);
    const written = await this.#allowed({ blockId, key }, entries, entry);
    await entries.write(key, cleanText(written), {
      provenance: { author: "person" },
      expectedVersion:
        expectedVersion === null ? await versionOfNone(entries, key) : expectedVersion,
    });
    return entryWire(await requireEntry(entries, key));
  }

  async #allowed(
    { blockId, key }: TextPlace & { readonly key: string },
    entries: EditableEntries,
    given: Omit<z.output<typeof writeEntryRequest>, "expectedVersion">,
  ) {
    if (blockId === assistantsLabel) return allowedAssistant(entries, key, given);
    return blockId === filesLabel ? allowedFile(this.#owner, key, given) : given;
  }

  /** The versions stay. A repeated `deletionId` deletes nothing again. */
  async removeEntry(
    blockId: string,
    key: string,
    {
      expectedVersion,
      deletionId = crypto.randomUUID(),
    }: { expectedVersion?: number | undefined; deletionId?: string | undefined } = {},
  ): Promise<DeletionWire> {
    const block = await this.#require(blockId);
    const entries = await this.#entries(blockId);
    const deleted = await entries.delete(key, {
      deletionId,
      withFiles: holdsSkills(block),
      expectedVersion,
      provenance: { author: "person" },
    });
    if (deleted === null) throw noEntry(key);
    return this.#deletion(deletionId);
  }

  async create(request: z.output<typeof createBlockRequest>, id?: string): Promise<BlockWire> {
    const { maxTokens, ...block } = cleanText(request);
    const { scope, kind } = block;
    if (scope === "session" && this.#sessionId === null)
      throw new ChatError("bad-block", "Specify the session this section belongs to.", {
        field: "scope",
      });
    if (scope !== "session" && this.#sessionId !== null && isTemporaryId(this.#sessionId))
      throw new ChatError("bad-block", "A temporary chat takes sections of this chat only.", {
        field: "scope",
      });
    if (this.#sessionId !== null) await requireSession(this.#owner, this.#sessionId);
    this.#assertLabel(block.label);
    const present = await blocksOf(this.#owner, this.#sessionId);
    if (id !== undefined && present.some((each) => each.id === id)) return this.read(id);
    if (present.filter(({ isOwn }) => isOwn).length >= maxOwnBlocks) {
      throw new ChatError(
        "too-many-blocks",
        `You already have ${maxOwnBlocks} sections. Delete one first.`,
      );
    }
    const made = await orTaken(() =>
      this.#owner.blocks.create({
        ...block,
        id,
        sessionId: scope === "session" ? this.#sessionId : null,
        maxTokens: blockKinds[kind].hasTokenLimit ? maxTokens : null,
      }),
    );
    return this.read(made.id);
  }

  async change(blockId: string, request: z.output<typeof changeBlockRequest>): Promise<BlockWire> {
    const block = await this.#require(blockId);
    const changes = cleanText(request);
    this.#assertChangeable(block, changes);
    if (changes.maxTokens !== undefined) await this.#assertFits(block, changes.maxTokens);
    await orTaken(() => this.#owner.blocks.change(block, changes));
    return this.read(blockId);
  }

  async delete(blockId: string, deletionId: string = crypto.randomUUID()): Promise<DeletionWire> {
    const blocks = await blocksOf(this.#owner, this.#sessionId);
    const present = blocks.find(({ id }) => id === blockId);
    if (present && !present.isOwn) throw notYours(present.label, "it cannot be deleted");
    const places = present ? [present.sessionId] : [this.#sessionId, null];
    for (const sessionId of new Set(places)) {
      const deleting = () => this.#owner.blocks.delete({ id: blockId, sessionId }, deletionId);
      if ((await orNull("block-not-found", deleting)) !== null) return this.#deletion(deletionId);
    }
    throw new BlockNotFoundError(blockId);
  }

  async #deletion(deletionId: string): Promise<DeletionWire> {
    const made = await this.#owner.deletions.madeBy(deletionId);
    return { deletionId: made?.id ?? deletionId };
  }

  async restore(blockId: string): Promise<BlockWire> {
    for (const sessionId of new Set([null, this.#sessionId])) {
      const restoring = () => this.#owner.blocks.restore({ id: blockId, sessionId });
      if (await orNull("block-not-found", () => orTaken(restoring))) return this.read(blockId);
    }
    throw new ChatError("block-not-found", "This section is not deleted.");
  }

  #require(blockId: string): Promise<BlockDefinition> {
    return requireBlock(this.#owner, blockId, this.#sessionId);
  }

  async #requirePlain(blockId: string): Promise<BlockDefinition> {
    const block = await this.#require(blockId);
    if (!isOneText(block)) throw new BlockNotFoundError(block.label);
    return block;
  }

  async #entries(blockId: string): Promise<EditableEntries> {
    const block = await this.#require(blockId);
    if (block.source) throw new BlockReadonlyError(block.label);
    return entriesOf(this.#owner, block, this.#sessionId);
  }

  async #found(block: BlockDefinition, find: string | undefined): Promise<EntryDocumentWire[]> {
    const search = blockKinds[block.kind].entries?.find;
    if (search && find !== undefined) {
      const ref = refOf(block, this.#sessionId);
      return (await search(this.#owner.blocks, ref, find)).map(entryWire);
    }
    const all = block.source
      ? await listSource(block.source)
      : (await entriesOf(this.#owner, block, this.#sessionId).entries({ limit: entryLimit })).map(
          entryWire,
        );
    const sorted = inTitleOrder(all);
    return find === undefined ? sorted : sorted.filter(mentions(find));
  }

  async #view(block: BlockDefinition): Promise<BlockWire> {
    const session = openWith(this.#owner, this.#sessionId, [block]);
    return this.#blockWire(block, await session.getContextBlock(block.label));
  }

  async #blockWire(definition: BlockDefinition, block: ContextBlock | null): Promise<BlockWire> {
    const { id, label, description, note, kind, scope, writers, isOwn, maxTokens } = definition;
    return {
      id,
      label,
      description,
      note,
      kind,
      scope,
      writers,
      isOwn,
      maxTokens,
      content: block?.content ?? "",
      version: block?.version ?? 0,
      tokens: block?.tokens ?? 0,
      entryCount: await this.#entryCount(definition, block),
      error: block?.error ?? null,
      origin: definition.source?.origin ?? null,
    };
  }

  async #entryCount(
    definition: BlockDefinition,
    block: ContextBlock | null,
  ): Promise<number | null> {
    const { entries } = blockKinds[definition.kind];
    const ref = refOf(definition, this.#sessionId);
    return entries?.count(this.#owner.blocks, ref, block?.content ?? null) ?? null;
  }

  #assertLabel(label: string): void {
    const problem = labelProblem(label);
    if (problem) throw new ChatError("bad-block", problem, { field: "label" });
    if (isReserved(this.#owner, label)) throw taken(label);
  }

  #assertChangeable(
    block: BlockDefinition,
    { label, writers, maxTokens }: z.output<typeof changeBlockRequest>,
  ): void {
    if (block.source) throw notYours(block.label, "edit its description at its source");
    if (maxTokens !== undefined && block.maxTokens === null) {
      throw new ChatError("bad-block", `“${block.label}” has no token limit to set.`, {
        field: "maxTokens",
      });
    }
    const isRenamed = label !== undefined && label !== block.label;
    const isHandedOver = writers !== undefined && writers !== block.writers;
    if (!block.isOwn && (isRenamed || isHandedOver))
      throw notYours(block.label, "its name and editors cannot change");
    if (isRenamed) this.#assertLabel(label);
  }

  async #assertFits(block: BlockDefinition, maxTokens: number): Promise<void> {
    const { tokens } = await this.#view(block);
    if (tokens > maxTokens) throw new BlockTooLargeError(block.label, tokens, maxTokens);
  }

  get #provenance(): WriteProvenance {
    return { author: "person", ...(this.#sessionId !== null && { sessionId: this.#sessionId }) };
  }
}

async function versionOfNone(entries: EditableEntries, key: string): Promise<number> {
  const [newest] = await entries.entryVersions(key, { limit: 1 });
  if (newest && newest.content !== null) throw new BlockConflictError(key, 0, newest.version);
  return newest?.version ?? 0;
}

async function requireEntry(entries: EditableEntries, key: string): Promise<ContextEntry> {
  const entry = await entries.entry(key);
  if (!entry) throw noEntry(key);
  return entry;
}

function noEntry(key: string): ChatError {
  return new ChatError("entry-not-found", `There is no entry “${key}”.`);
}

/** Storage sorts by key, because the model's listing is cached. */
function inTitleOrder(entries: readonly EntryDocumentWire[]): EntryDocumentWire[] {
  return entries.toSorted(
    (first, second) =>
      titleOrder.compare(first.title, second.title) || (first.key < second.key ? -1 : 1),
  );
}

function mentions(find: string): (entry: EntryDocumentWire) => boolean {
  const text = find.toLocaleLowerCase();
  return ({ title, key, description }) =>
    `${title} ${key} ${description ?? ""}`.toLocaleLowerCase().includes(text);
}

async function orNull<Result>(
  code: SessionErrorCode,
  act: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await act();
  } catch (error) {
    if (isSessionError(error) && error.code === code) return null;
    throw error;
  }
}

async function orTaken<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    // Compared by code: each route has its own bundle and classes.
    if (isSessionError(error) && error.code === "block-exists")
      throw taken((error as BlockExistsError).label, error);
    throw error;
  }
}

function taken(label: string, cause?: unknown): ChatError {
  return new ChatError(
    "block-exists",
    `A section called “${label}” already exists here or in one of your chats. Choose another name.`,
    { field: "label", cause },
  );
}

function entryTaken(title: string, cause?: unknown): ChatError {
  return new ChatError(
    "entry-exists",
    `An entry called “${title}” already exists. Choose another name, or edit it.`,
    { field: "title", cause },
  );
}

function notYours(label: string, why: string): ChatError {
  return new ChatError("bad-block", `“${label}” is built in: ${why}.`, { field: "label" });
}
