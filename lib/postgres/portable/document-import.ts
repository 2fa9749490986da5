import {
  type DocumentBefore,
  type ImportConsent,
  type SessionRecordOf,
  storableText,
  toTsvector,
} from "../../session/internal";
import type { Sql } from "../connections/sql";
import type { BlockImport } from "./import-block";
import { ImportError } from "./import-error";

/** Characters, since a history is held and written at once. */
const largestHistory = 64_000_000;

type Version = SessionRecordOf<"version">;

interface DocumentPlace {
  readonly blockId: string;
  readonly sessionId: string;
}

/** `left`: edited here, so the import skipped it. */
type DocumentOutcome = "imported" | "already" | "left";

export class DocumentImport {
  readonly #sql: Sql;
  readonly #owner: string;
  readonly #blocks: BlockImport;
  readonly #consent: ImportConsent | undefined;
  #document: (SessionRecordOf<"document"> & { readonly sessionId: string }) | null = null;
  #versions: Version[] = [];
  #characters = 0;

  constructor(sql: Sql, owner: string, blocks: BlockImport, consent?: ImportConsent) {
    this.#consent = consent;
    this.#sql = sql;
    this.#owner = owner;
    this.#blocks = blocks;
  }

  get current(): SessionRecordOf<"document"> | null {
    return this.#document;
  }

  async begin(document: SessionRecordOf<"document">, sessionId: string): Promise<void> {
    // No block is made before the person has agreed to its text.
    if (!this.#consent) await this.#blocks.idOf(document, sessionId);
    this.#document = { ...document, sessionId };
    this.#versions = [];
    this.#characters = 0;
  }

  forget(): void {
    this.#document = null;
  }

  version(version: Version): void {
    if (!this.#document) throw new ImportError("A version must follow its document.", "type");
    if (version.version !== this.#versions.length + 1)
      throw new ImportError(`Version ${this.#versions.length + 1} was expected.`, "version");
    this.#characters += version.content?.length ?? 0;
    if (this.#characters > largestHistory) {
      throw new ImportError(
        `The history of “${this.#document.label}” is longer than ${largestHistory.toLocaleString("en")} characters.`,
        "content",
      );
    }
    this.#versions.push(version);
  }

  /** `null` without a current document. @throws {ImportError} when versions are missing. */
  async flush(): Promise<DocumentOutcome | null> {
    const document = this.#document;
    const versions = this.#versions;
    this.#document = null;
    if (!document) return null;
    if (versions.length !== document.versions) {
      throw new ImportError(
        `${document.versions} versions of “${document.label}” were announced, ${versions.length} came.`,
        "versions",
      );
    }
    const newest = versions.at(-1);
    if (!newest) return "already";
    return this.#consent
      ? this.#offer({ document, versions, newest, consent: this.#consent })
      : this.#take(document, versions, newest);
  }

  async #take(
    document: SessionRecordOf<"document"> & { readonly sessionId: string },
    versions: readonly Version[],
    newest: Version,
  ): Promise<DocumentOutcome> {
    const blockId = await this.#blocks.idOf(document, document.sessionId);
    const place = { ...document, blockId };
    const decision = decide(await this.#present(place), versions);
    if (decision !== "imported") return decision;
    await this.#write(place, versions, newest);
    return "imported";
  }

  /** Names the block that the text would come into. `null` when it may not be written. */
  async #offer({
    document,
    versions,
    newest,
    consent,
  }: {
    document: SessionRecordOf<"document"> & { readonly sessionId: string };
    versions: readonly Version[];
    newest: Version;
    consent: ImportConsent;
  }): Promise<DocumentOutcome | null> {
    const { key, title, description } = document;
    const block = await this.#blocks.findShared({ id: document.blockId, label: document.label });
    const place = block && { blockId: block.id, sessionId: "", key };
    const present = place ? await this.#present(place) : [];
    const decision = decide(present, versions);
    if (decision !== "imported") return decision;
    const leftOut = this.#blocks.leftOutLabel(document);
    const label = block?.label ?? leftOut ?? document.label;
    const mayTake = consent.mayTake({
      kind: key === "" ? "text" : "entry",
      label,
      title: title || key,
      text: newest.content ?? "",
      whole: [key, title, description, versions],
    });
    if (!mayTake || (!block && leftOut !== undefined)) return null;
    const before = place && (await this.#before(place, { present, versions }));
    const outcome = await this.#take(document, versions, newest);
    const blockId = await this.#blocks.idOf(document, "");
    const { version } = newest;
    if (outcome === "imported")
      consent.taken({ kind: "document", blockId, label, key, version, before });
    return outcome;
  }

  async #before(
    { blockId, sessionId, key }: DocumentPlace & { key: string },
    { present, versions }: { present: readonly PresentVersion[]; versions: readonly Version[] },
  ): Promise<DocumentBefore | null> {
    const newest = present.at(-1);
    if (!newest) return null;
    const [row] = await this.#sql<{ title: string; description: string | null }[]>`
      select title, description from chat_document
      where owner_id = ${this.#owner} and block_id = ${blockId} and session_id = ${sessionId} and key = ${key}`;
    const isKept = present.every((version, n) => isSame(version, versions[n]));
    const { version, content } = newest;
    const { title = "", description = null } = row ?? {};
    return { version, title, description, ...(!isKept && { content }) };
  }

  #present({
    blockId,
    sessionId,
    key,
  }: DocumentPlace & { key: string }): Promise<PresentVersion[]> {
    return this.#sql<PresentVersion[]>`
      select version, content, author, created_at
      from chat_document_version
      where owner_id = ${this.#owner} and block_id = ${blockId} and session_id = ${sessionId} and key = ${key}
      order by version`;
  }

  async #write(
    { blockId, sessionId, key, title, description }: SessionRecordOf<"document"> & DocumentPlace,
    versions: readonly Version[],
    newest: Version,
  ): Promise<void> {
    const owner = this.#owner;
    const content = newest.content === null ? null : storableText(newest.content);
    const searched = [title, description, content].filter((text) => text).join("\n");
    const column = <Name extends keyof Version>(name: Name) =>
      versions.map((version) => version[name]) as string[];
    const contents = versions.map((version) => version.content && storableText(version.content));
    const programs = versions.map(({ program }) =>
      program === undefined ? null : storableText(program),
    );
    await this.#sql`
      with document as (
        insert into chat_document as present (
          owner_id, block_id, session_id, key, version, title, description, content, tsv, updated_at
        )
        values (
          ${owner}, ${blockId}, ${sessionId}, ${key}, ${newest.version}, ${storableText(title)},
          ${description && storableText(description)}, ${content},
          ${content === null ? null : toTsvector(searched)}::tsvector, ${newest.createdAt}
        )
        on conflict (owner_id, block_id, session_id, key) do update
        set
          version = excluded.version, title = excluded.title, description = excluded.description,
          content = excluded.content, tsv = excluded.tsv, updated_at = excluded.updated_at
        returning present.version
      )
      insert into chat_document_version (
        owner_id, block_id, session_id, key, version, content, author, program, written_in, message_id, created_at
      )
      select
        ${owner}, ${blockId}, ${sessionId}, ${key}, given.version, given.content, given.author, given.program,
        given.written_in, given.message_id, given.created_at
      from document
      cross join unnest(
        ${column("version")}::integer[], ${contents}::text[], ${column("author")}::text[], ${programs}::text[],
        ${column("sessionId")}::text[], ${column("messageId")}::text[], ${column("createdAt")}::timestamptz[]
      ) as given (version, content, author, program, written_in, message_id, created_at)
      on conflict (owner_id, block_id, session_id, key, version) do update
      set
        content = excluded.content, author = excluded.author, program = excluded.program,
        written_in = excluded.written_in, message_id = excluded.message_id, created_at = excluded.created_at`;
  }
}

interface PresentVersion {
  readonly version: number;
  readonly content: string | null;
  readonly author: string;
  readonly created_at: Date;
}

/**
 * An equal or shorter history is here already; a longer one continues it; a text only Grove wrote is replaced by a
 * longer one. Anything else was edited here and stays.
 */
function decide(
  present: readonly PresentVersion[],
  coming: readonly Pick<Version, "content" | "createdAt" | "author">[],
): DocumentOutcome {
  const common = Math.min(present.length, coming.length);
  const agree = Array.from({ length: common }).every((_, n) => isSame(present[n], coming[n]));
  if (agree) return present.length >= coming.length && coming.length > 0 ? "already" : "imported";
  const isOwnWork = present.some(({ author }) => author !== "system");
  return isOwnWork || present.length > coming.length ? "left" : "imported";
}

/** Grove writes the same text for everybody, at another moment. */
function isSame(
  present: PresentVersion | undefined,
  coming: Pick<Version, "content" | "createdAt" | "author"> | undefined,
): boolean {
  if (!present || !coming) return false;
  const text = coming.content === null ? null : storableText(coming.content);
  const isOfGrove = present.author === "system" && coming.author === "system";
  const isOfMoment = Date.parse(coming.createdAt) === present.created_at.getTime();
  return text === present.content && (isOfGrove || isOfMoment);
}
