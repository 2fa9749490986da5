import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Sql } from "postgres";
import { refusesValue } from "@/lib/postgres/database-error";
import { drizzleOn } from "@/lib/postgres/drizzle-on";
import { type ObjectPlace, PostgresFiles } from "@/lib/postgres/files/postgres-files";
import { ownConnection } from "@/lib/postgres/own-connection";
import { chatSession } from "@/lib/postgres/schema";
import { isNestedTooDeeply, portableFormat } from "@/lib/session/internal";
import { DocumentImport } from "./document-import";
import { FileImport } from "./file-import";
import { BlockImport } from "./import-block";
import { ImportError } from "./import-error";
import { lockImport, unlockImport } from "./import-lock";
import { importingSource } from "./import-rows";
import { type PortableOf, type PortableRecord, portableRecord } from "./records";
import { SessionImport } from "./session-import";

const mostProblems = 100;
const mostOutcomes = 5_000;
const usageAtOnce = 500;

/** Line numbers count from 1. */
export interface ImportReport {
  readonly sessions: { imported: number; already: number; restored: number; failed: number };
  readonly documents: { imported: number; already: number; left: number };
  /** The first 5,000 sessions: their ids in the file and here. */
  readonly outcomes: ImportOutcome[];
  readonly problems: { line: number; field?: string; message: string }[];
  problemCount: number;
}

interface ImportOutcome {
  readonly id: string;
  readonly sessionId: string;
  readonly outcome: "imported" | "already" | "restored" | "failed";
  /** Why it failed. */
  readonly message?: string;
}

interface ImportOptions {
  readonly ownerId: string;
  /** Of files. Default: the database. */
  readonly place?: ObjectPlace | undefined;
  readonly onSettings?: ((record: PortableOf<"settings">) => Promise<void>) | undefined;
}

/**
 * Imports each session, and each document with its versions, completely or not at all; existing ones are kept, so the
 * same file twice changes nothing. An invalid line skips its session and is reported.
 *
 * @throws {ImportError} when the first line is not that of an export.
 */
export async function importLines(
  pool: Sql,
  lines: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportReport> {
  const sql = ownConnection(pool);
  try {
    return await importOn(sql, lines, options);
  } finally {
    await sql.end({ timeout: 0 });
  }
}

async function importOn(
  sql: Sql,
  lines: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportReport> {
  const reader = new ImportReader(sql, options);
  try {
    for await (const text of lines) await reader.line(text);
  } catch (error) {
    await reader.giveUp();
    throw error;
  }
  await reader.end();
  return reader.report;
}

class ImportReader {
  readonly report: ImportReport = {
    sessions: { imported: 0, already: 0, restored: 0, failed: 0 },
    documents: { imported: 0, already: 0, left: 0 },
    outcomes: [],
    problems: [],
    problemCount: 0,
  };
  readonly #sql: Sql;
  readonly #options: ImportOptions;
  readonly #blocks: BlockImport;
  readonly #documents: DocumentImport;
  readonly #files: FileImport;
  readonly #renamed = new Map<string, string>();
  #number = 0;
  #session: SessionImport | null = null;
  /** The session whose import is locked. */
  #locked: { owner: string; session: string } | null = null;
  #sessionTitle = "";
  /** Of the session that is being read. */
  #givenId = "";
  #isSkipping = false;
  #isEnded = false;
  #usage: PortableOf<"usage">[] = [];

  constructor(sql: Sql, options: ImportOptions) {
    this.#sql = sql;
    this.#options = options;
    this.#blocks = new BlockImport(sql, options.ownerId);
    this.#documents = new DocumentImport(sql, options.ownerId, this.#blocks);
    this.#files = new FileImport(new PostgresFiles(sql, options.ownerId, options));
  }

  async line(text: string): Promise<void> {
    this.#number++;
    if (text.trim() === "") return;
    if (this.#number === 1) return this.#begin(text);
    try {
      const value = parsed(text);
      const type = typeOf(value);
      // Later lines may be wrong; the document before them is complete.
      if (!this.#session && type !== "version") await this.#flushDocument();
      if (type !== "file-chunk" && type !== "file-page") await this.#flushFile();
      if (this.#isSkipping && !endsSession(type)) return;
      await this.#take(this.#valid(value, type));
    } catch (error) {
      await this.#fail(readable(error));
    }
  }

  async end(): Promise<void> {
    if (this.#number === 0) throw new ImportError("The file is empty.");
    if (this.#session || !this.#isEnded) {
      await this.#fail(new ImportError("The file ends early; what follows is missing."));
    }
    await this.#flushDocument();
    await this.#files.forget();
    await this.#flushUsage();
    await this.#waitForDisk();
  }

  /** Not before the first line: a source that flows, such as Node's `readline`, loses what comes until it is read. */
  async #begin(header: string): Promise<void> {
    assertHeader(header);
    // The disk is waited for once, not at each of the statements of thousands of sessions.
    await this.#sql`set synchronous_commit to off`;
  }

  /** A commit that waits brings all before it to the disk. It needs something to commit. */
  async #waitForDisk(): Promise<void> {
    await this.#sql`set synchronous_commit to on`;
    await this.#sql`select pg_logical_emit_message(true, 'grove', 'imported')`;
  }

  async giveUp(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    try {
      await this.#files.forget();
      await session?.abort();
    } finally {
      await this.#unlock();
    }
  }

  async #unlock(): Promise<void> {
    const locked = this.#locked;
    this.#locked = null;
    if (locked) await unlockImport(this.#sql, locked);
  }

  #valid(value: unknown, type: unknown): PortableRecord {
    const result = portableRecord.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const field = issue?.path.join(".");
    const error = new ImportError(`${issue?.message ?? "It does not fit"}.`, field);
    if (type === "session") {
      this.#givenId = idIn(value);
      this.#skipSession(error);
    }
    throw error;
  }

  #skipSession(error: unknown): void {
    this.#isSkipping = true;
    this.#count("failed", { id: this.#givenId, ...(error instanceof ImportError && { error }) });
  }

  #count(
    outcome: ImportOutcome["outcome"],
    { id, error }: { readonly id: string; readonly error?: Error },
  ): void {
    this.report.sessions[outcome]++;
    if (this.report.outcomes.length >= mostOutcomes) return;
    const sessionId = this.#renamed.get(id) ?? id;
    const message = error?.message;
    this.report.outcomes.push({ id, sessionId, outcome, ...(message && { message }) });
  }

  async #take(record: PortableRecord): Promise<void> {
    if (record.type === "session-end" && this.#isSkipping) {
      this.#isSkipping = false;
      return;
    }
    if (this.#session) return this.#takeInto(this.#session, record);
    switch (record.type) {
      case "settings":
        return this.#options.onSettings?.(record);
      case "block":
        if (record.scope !== "")
          throw new ImportError("A block of a session must stand in it.", "scope");
        return this.#blocks.take(record, "");
      case "document":
        if (record.scope !== "")
          throw new ImportError("A document of a session must stand in it.", "scope");
        return this.#documents.begin(record, "");
      case "version":
        return this.#documents.current ? this.#documents.version(record) : undefined;
      case "session":
        return this.#beginSession(record).catch(async (error: unknown) => {
          this.#skipSession(error);
          await this.#unlock();
          throw error;
        });
      case "file":
        return this.#files.begin(record);
      case "file-chunk":
        return this.#files.chunk(record);
      case "file-page":
        return this.#files.page(record);
      case "usage":
        this.#usage.push(record);
        return this.#usage.length >= usageAtOnce ? this.#flushUsage() : undefined;
      case "end":
        this.#isEnded = true;
        return;
      case "provider":
      case "grove-export":
        return;
      default:
        throw new ImportError(`“${record.type}” must stand in a session.`, "type");
    }
  }

  async #takeInto(session: SessionImport, record: PortableRecord): Promise<void> {
    switch (record.type) {
      case "message":
        return session.message(record);
      case "gap":
        return session.gap(record);
      case "compaction":
        return session.compaction(record);
      case "skill":
        return session.skill(record);
      case "answer":
        return session.answer(record);
      case "block":
        return session.block(record);
      case "document":
        return session.document(record);
      case "version":
        return session.version(record);
      case "session-end":
        await session.finish(record);
        this.#count("imported", { id: this.#givenId });
        this.#session = null;
        return this.#unlock();
      default:
        throw new ImportError(`A session ends with “session-end”, not “${record.type}”.`, "type");
    }
  }

  async #beginSession(record: PortableOf<"session">): Promise<void> {
    this.#isSkipping = false;
    this.#sessionTitle = record.title || record.id;
    this.#givenId = record.id;
    const { id, outcome } = await this.#placeFor(record);
    if (id !== record.id) this.#renamed.set(record.id, id);
    if (outcome !== "new") {
      this.#count(outcome, { id: record.id });
      this.#isSkipping = true;
      return this.#unlock();
    }
    const parentId = record.parentSessionId;
    this.#session = await SessionImport.begin(this.#sql, {
      owner: this.#options.ownerId,
      blocks: this.#blocks,
      record,
      id,
      parentId: parentId && (this.#renamed.get(parentId) ?? parentId),
    });
  }

  /** Derived from its leaves when another session has its id. */
  async #placeFor(
    record: PortableOf<"session">,
  ): Promise<{ id: string; outcome: "new" | "already" | "restored" }> {
    const names = [record.id, nameOf(record)];
    for (const id of names) {
      await this.#unlock();
      const key = { owner: this.#options.ownerId, session: id };
      if (!(await lockImport(this.#sql, key)))
        throw new ImportError("This session is being imported already.", "id");
      this.#locked = key;
      const present = await this.#present(id, record.leafIds);
      if (!present) return { id, outcome: "new" };
      if (!present.has_all) continue;
      if (!present.is_deleted) return { id, outcome: "already" };
      await drizzleOn(this.#sql)
        .update(chatSession)
        .set({ deletedAt: null })
        .where(and(eq(chatSession.ownerId, this.#options.ownerId), eq(chatSession.sessionId, id)));
      return { id, outcome: "restored" };
    }
    throw new ImportError("Another session has this id, and so has the copy of it.", "id");
  }

  async #present(
    id: string,
    leafIds: readonly string[],
  ): Promise<{ is_deleted: boolean; has_all: boolean } | undefined> {
    const owner = this.#options.ownerId;
    const [row] = await this.#sql<{ is_deleted: boolean; has_all: boolean }[]>`
      select session.deleted_at is not null as is_deleted, not exists (
        select from unnest(${leafIds as string[]}::text[]) leaf (id)
        where not exists (select from chat_locate(${owner}, ${id}, leaf.id))
      ) as has_all
      from chat_session session
      where session.owner_id = ${owner} and session.session_id = ${id} and session.source is distinct from ${importingSource}`;
    return row;
  }

  async #flushDocument(): Promise<void> {
    const outcome = await this.#documents.flush();
    if (outcome) this.report.documents[outcome]++;
  }

  /** Blames the file alone, not the line after it. */
  async #flushFile(): Promise<void> {
    try {
      await this.#files.flush();
    } catch (error) {
      await this.#fail(readable(error));
    }
  }

  async #flushUsage(): Promise<void> {
    const rows = this.#usage;
    this.#usage = [];
    if (rows.length === 0) return;
    const column = <Name extends keyof PortableOf<"usage">>(name: Name) =>
      rows.map((row) => (row[name] === null ? null : String(row[name]))) as string[];
    await this.#sql`
      insert into chat_usage (
        owner_id, usage_id, kind, session_id, model, input_tokens, cached_tokens, output_tokens, cost, reported, created_at
      )
      select ${this.#options.ownerId}, given.*
      from unnest(
        ${column("id")}::text[], ${column("kind")}::text[],
        ${rows.map(({ sessionId }) => this.#renamed.get(sessionId) ?? sessionId)}::text[], ${column("model")}::text[],
        ${column("inputTokens")}::bigint[], ${column("cachedTokens")}::bigint[], ${column("outputTokens")}::bigint[],
        ${column("cost")}::float8[], ${column("reported")}::text[]::boolean[], ${column("createdAt")}::timestamptz[]
      ) given
      on conflict do nothing`;
  }

  /** Drops its session or document. */
  async #fail(error: ImportError): Promise<void> {
    const session = this.#session;
    const what = session ? `The session “${this.#sessionTitle}” was left out. ` : "";
    this.report.problemCount++;
    if (this.report.problems.length < mostProblems) {
      this.report.problems.push({
        line: this.#number,
        ...(error.field && { field: error.field }),
        message: `${what}${error.message}`,
      });
    }
    this.#documents.forget();
    await this.#files.forget();
    if (!session) return;
    this.#skipSession(error);
    await this.giveUp();
  }
}

function assertHeader(text: string): void {
  const value = parsed(text);
  const result = portableRecord.safeParse(value);
  if (result.success && result.data.type === "grove-export") return;
  const isNewer =
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    typeof value.format === "number" &&
    value.format > portableFormat;
  throw new ImportError(
    isNewer
      ? "The file was exported by a newer Grove."
      : "The first line is not that of an export from Grove.",
    "type",
  );
}

function parsed(text: string): unknown {
  if (isNestedTooDeeply(text)) throw new ImportError("The line is nested too deeply.");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(cause);
  }
}

function notJson(cause: unknown): ImportError {
  return new ImportError("The line is not valid JSON.", undefined, { cause });
}

function typeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "type" in value ? value.type : null;
}

function idIn(value: unknown): string {
  return typeof value === "object" && value !== null && "id" in value ? String(value.id) : "";
}

function endsSession(type: unknown): boolean {
  return type === "session-end" || type === "session" || type === "usage" || type === "end";
}

function nameOf({ id, leafIds }: PortableOf<"session">): string {
  const hash = createHash("sha256").update(JSON.stringify([id, leafIds.toSorted()]));
  const hex = hash.digest("hex");
  return [0, 8, 12, 16, 20].map((at, n) => hex.slice(at, [8, 12, 16, 20, 32][n])).join("-");
}

/** Blames the line for values the database refuses, not for a missing database. */
function readable(error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  if (refusesValue(error)) {
    return new ImportError("It holds something that cannot be stored.", undefined, {
      cause: error,
    });
  }
  throw error;
}
