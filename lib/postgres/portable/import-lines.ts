import { type ImportConsent, isNestedTooDeeply, portableFormat } from "../../session/internal";
import { ownConnection } from "../connections/own-connection";
import type { Sql } from "../connections/sql";
import { type ObjectPlace, PostgresFiles } from "../files/postgres-files";
import { DocumentImport } from "./document-import";
import { FileImport } from "./file-import";
import { BlockImport } from "./import-block";
import { ImportError, readable } from "./import-error";
import { addProblem, emptyReport, type ImportReport } from "./import-report";
import { importedUsage } from "./portable";
import { type PortableOf, type PortableRecord, portableRecord } from "./records";
import { type Admitting, SessionsImport } from "./sessions-import";

const usageAtOnce = 500;

export type { ImportReport };

type SettingsTaker = (
  record: PortableOf<"settings">,
) => Promise<readonly { readonly field: string; readonly message: string }[]>;

interface ImportOptions {
  readonly ownerId: string;
  readonly admit?: Admitting | undefined;
  /** Asked before something is written into all chats. Default: everything is. */
  readonly consent?: ImportConsent | undefined;
  readonly place?: ObjectPlace | undefined;
  readonly onSettings?: SettingsTaker | undefined;
}

/**
 * Imports each session, and each document with its versions, completely or not at all; existing ones are kept. An
 * invalid line skips its session and is reported. @throws {ImportError} when the first line is not that of an export.
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
  readonly report = emptyReport();
  readonly #sql: Sql;
  readonly #options: ImportOptions;
  readonly #blocks: BlockImport;
  readonly #documents: DocumentImport;
  readonly #files: FileImport;
  readonly #sessions: SessionsImport;
  #number = 0;
  #isEnded = false;
  #usage: PortableOf<"usage">[] = [];

  constructor(sql: Sql, options: ImportOptions) {
    this.#sql = sql;
    this.#options = options;
    this.#blocks = new BlockImport(sql, options.ownerId);
    const { ownerId, consent } = options;
    this.#documents = new DocumentImport(sql, ownerId, this.#blocks, consent);
    this.#files = new FileImport(new PostgresFiles(sql, options.ownerId, options));
    const { ownerId: owner } = options;
    this.#sessions = new SessionsImport(sql, {
      ...{ owner, blocks: this.#blocks, report: this.report },
      ...(options.admit && { admit: options.admit }),
    });
  }

  async line(text: string): Promise<void> {
    this.#number++;
    if (text.trim() === "") return;
    if (this.#number === 1) return this.#begin(text);
    await this.#attempt(async () => {
      const value = parsed(text);
      const type = typeOf(value);
      // Later lines may be wrong; the document before them is complete.
      if (!this.#sessions.isReading && type !== "version") await this.#flushDocument();
      if (type !== "file-chunk" && type !== "file-page")
        await this.#attempt(() => this.#files.flush());
      if (this.#sessions.isSkipping && !endsSession(type)) return;
      await this.#take(await this.#valid(value, type));
    });
  }

  async end(): Promise<void> {
    if (this.#number === 0) throw new ImportError("The file is empty.");
    if (this.#sessions.isReading || !this.#isEnded) {
      await this.#fail(new ImportError("The file ends early; what follows is missing."));
    }
    await this.#sessions.settle();
    await this.#attempt(() => this.#flushDocument());
    await this.#files.forget();
    await this.#flushUsage();
    await this.#waitForDisk();
  }

  /** Sources that flow, such as Node's `readline`, lose what comes until they are read. */
  async #begin(header: string): Promise<void> {
    assertHeader(header);
    // The disk is waited for once, not at each of thousands of statements.
    await this.#sql`set synchronous_commit to off`;
  }

  /** A commit that waits brings all before it to the disk. */
  async #waitForDisk(): Promise<void> {
    await this.#sql`set synchronous_commit to on`;
    await this.#sql`select pg_logical_emit_message(true, 'grove', 'imported')`;
  }

  async giveUp(): Promise<void> {
    try {
      await this.#sessions.giveUp();
    } finally {
      await this.#files.forget();
    }
  }

  async #valid(value: unknown, type: unknown): Promise<PortableRecord> {
    const result = portableRecord.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const field = issue?.path.join(".");
    const error = new ImportError(`${issue?.message ?? "It does not fit"}.`, field);
    if (type === "session" && !this.#sessions.isReading)
      await this.#sessions.skip(idIn(value), error);
    throw error;
  }

  async #take(record: PortableRecord): Promise<void> {
    const sessions = this.#sessions;
    if (record.type === "session-end" && sessions.isSkipping) return sessions.skipped();
    if (record.type === "session") return sessions.begin(record, this.#number);
    if (sessions.isReading) return sessions.take(record, this.#number);
    await sessions.settle();
    switch (record.type) {
      case "settings":
        return this.#takeSettings(record);
      case "block":
        if (record.scope !== "")
          throw new ImportError("A block of a session must stand in it.", "scope");
        return this.#takeBlock(record);
      case "document":
        if (record.scope !== "")
          throw new ImportError("A document of a session must stand in it.", "scope");
        return this.#documents.begin(record, "");
      case "version":
        return this.#documents.current ? this.#documents.version(record) : undefined;
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

  async #takeBlock(record: PortableOf<"block">): Promise<void> {
    const { consent } = this.#options;
    const { label, description, kind, writers, maxTokens, perSession = false } = record;
    const isHere = (await this.#blocks.findShared(record)) !== null;
    const mayTake =
      !consent ||
      isHere ||
      consent.mayTake({
        ...{ kind: "section", label, title: label, text: description },
        whole: [description, kind, writers, maxTokens, perSession],
      });
    if (!mayTake) return this.#blocks.leaveOut(record);
    const { blockId, isNew } = await this.#blocks.take(record, "");
    if (isNew) consent?.taken({ kind: "section", blockId, label });
  }

  async #takeSettings(record: PortableOf<"settings">): Promise<void> {
    const leftOut = (await this.#options.onSettings?.(record)) ?? [];
    for (const { field, message } of leftOut)
      addProblem(this.report, { line: this.#number, error: new ImportError(message, field) });
  }

  async #flushDocument(): Promise<void> {
    const outcome = await this.#documents.flush();
    if (outcome) this.report.documents[outcome]++;
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      await this.#fail(readable(error));
    }
  }

  async #flushUsage(): Promise<void> {
    const rows = this.#usage;
    this.#usage = [];
    try {
      await this.#insertUsage(rows);
    } catch (error) {
      readable(error);
      for (const row of rows) await this.#attempt(() => this.#insertUsage([row]));
    }
  }

  /** A file's call must not take the place of one made here. */
  async #insertUsage(rows: readonly PortableOf<"usage">[]): Promise<void> {
    if (rows.length === 0) return;
    const column = <Name extends keyof PortableOf<"usage">>(name: Name) =>
      rows.map((row) => (row[name] === null ? null : String(row[name]))) as string[];
    await this.#sql`
      insert into chat_usage (
        owner_id, usage_id, kind, session_id, model, input_tokens, cached_tokens, output_tokens, cost, reported, created_at
      )
      select
        ${this.#options.ownerId}, ${importedUsage} || given.id, given.kind, given.session_id, given.model,
        given.input_tokens, given.cached_tokens, given.output_tokens, given.cost, given.reported, given.created_at
      from unnest(
        ${column("id")}::text[], ${column("kind")}::text[],
        ${rows.map(({ sessionId }) => this.#sessions.idOf(sessionId))}::text[], ${column("model")}::text[],
        ${column("inputTokens")}::bigint[], ${column("cachedTokens")}::bigint[], ${column("outputTokens")}::bigint[],
        ${column("cost")}::float8[], ${column("reported")}::text[]::boolean[], ${column("createdAt")}::timestamptz[]
      ) given (
        id, kind, session_id, model, input_tokens, cached_tokens, output_tokens, cost, reported, created_at
      )
      where not exists (
        select from chat_usage own where own.owner_id = ${this.#options.ownerId} and own.usage_id = given.id
      )
      -- Paid here for a project, whose export it comes from.
      and not exists (
        select from chat_usage own
        where own.owner_id = ${this.#options.ownerId} and own.space_id is not null
          and substr(own.usage_id, length(own.space_id) + 2) = given.id
      )
      on conflict do nothing`;
  }

  async #fail(error: ImportError): Promise<void> {
    await this.#sessions.settle();
    this.#documents.forget();
    await this.#files.forget();
    if (this.#sessions.isReading) await this.#sessions.fail(error, this.#number);
    else addProblem(this.report, { line: this.#number, error });
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
