import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { SessionRecordOf } from "../../session/internal";
import type { Sql } from "../connections/sql";
import { refusesValue } from "../database-error";
import { drizzleOn } from "../drizzle-on";
import { movedSource } from "../live-session";
import { chatSession } from "../schema";
import type { BlockImport } from "./import-block";
import { ImportError, readable } from "./import-error";
import { lockImport, unlockImport } from "./import-lock";
import { addOutcome, addProblem, type ImportReport } from "./import-report";
import { importingSource } from "./import-rows";
import type { PortableRecord } from "./records";
import { writeGroup } from "./session-group";
import { SessionImport } from "./session-import";

const sessionsAtOnce = 50;
const messagesAtOnce = 2_000;
const charactersAtOnce = 2_000_000;

export interface Admitting {
  readonly session: (record: SessionRecordOf<"session">) => SessionRecordOf<"session">;
  readonly message: (record: SessionRecordOf<"message">) => SessionRecordOf<"message">;
}

interface SessionsImportOptions {
  readonly owner: string;
  readonly blocks: BlockImport;
  readonly report: ImportReport;
  readonly admit?: Admitting | undefined;
}

interface ReadSession {
  readonly session: SessionImport;
  readonly line: number;
}

type ImportOutcome = "new" | "already" | "restored";

/**
 * Imports each session completely or not at all. Small ones that hold messages alone are written in groups, while the
 * next are read; others one at a time, under a lock.
 */
export class SessionsImport {
  readonly #sql: Sql;
  readonly #options: SessionsImportOptions;
  readonly #renamed = new Map<string, string>();
  #current: SessionImport | null = null;
  #isSkipping = false;
  #locked: { owner: string; session: string } | null = null;
  #group = new Map<string, ReadSession>();
  #writing: Promise<void> = Promise.resolve();

  constructor(sql: Sql, options: SessionsImportOptions) {
    this.#sql = sql;
    this.#options = options;
  }

  get isReading(): boolean {
    return this.#current !== null;
  }

  get isSkipping(): boolean {
    return this.#isSkipping;
  }

  idOf(id: string): string {
    return this.#renamed.get(id) ?? id;
  }

  /** Leaves out one whose end is missing. */
  async begin(record: SessionRecordOf<"session">, line: number): Promise<void> {
    if (this.#current) await this.fail(endMissing(record.type), line);
    this.#isSkipping = false;
    const { owner, blocks, admit } = this.#options;
    const admitted = admit ? admit.session(record) : record;
    this.#current = new SessionImport(this.#sql, { owner, blocks, record: admitted });
  }

  async skip(id: string, error: ImportError): Promise<void> {
    await this.settle();
    this.#isSkipping = true;
    this.#count("failed", { id, error });
  }

  skipped(): void {
    this.#isSkipping = false;
  }

  async take(record: PortableRecord, line: number): Promise<void> {
    const session = this.#current;
    if (!session) throw new Error("No session is being read.");
    switch (record.type) {
      case "message":
        await session.message(this.#options.admit ? this.#options.admit.message(record) : record);
        if (session.isFull) await this.#isStored(session);
        return;
      case "session-end":
        session.assertWhole(record);
        return session.isStored ? this.#finish(session) : this.#gather({ session, line });
      case "gap":
      case "compaction":
      case "skill":
      case "answer":
      case "block":
      case "document":
      case "version":
        if (await this.#isStored(session)) await addTo(session, record);
        return;
      default:
        throw endMissing(record.type);
    }
  }

  /** Nothing else may use the connection before it. */
  async settle(): Promise<void> {
    this.#writeGathered();
    await this.#writing;
  }

  /** Drops the session that is being read, unless it is there already. */
  async fail(error: ImportError, line: number): Promise<void> {
    await this.settle();
    const session = this.#current;
    if (!session) return;
    if (!session.isStored && (await this.#isThere(session))) return;
    this.#current = null;
    this.#isSkipping = true;
    await this.#leaveOut({ session, line }, error);
  }

  async giveUp(): Promise<void> {
    const session = this.#current;
    this.#current = null;
    try {
      await this.settle();
      await session?.abort();
    } finally {
      await this.#unlock();
    }
  }

  async #gather(read: ReadSession): Promise<void> {
    const { id } = read.session;
    if (this.#group.has(id)) await this.settle();
    this.#current = null;
    this.#group.set(id, read);
    const sessions = [...this.#group.values()].map(({ session }) => session);
    const isFull =
      sessions.length >= sessionsAtOnce ||
      sum(sessions.map(({ layout }) => layout.size)) >= messagesAtOnce ||
      sum(sessions.map(({ characters }) => characters)) > charactersAtOnce;
    if (!isFull) return;
    await this.#writing;
    this.#writeGathered();
  }

  #writeGathered(): void {
    const group = [...this.#group.values()];
    if (group.length === 0) return;
    this.#group = new Map();
    this.#writing = this.#writing.then(() => this.#write(group));
    // The caller that waits for it gets the failure.
    this.#writing.catch(() => undefined);
  }

  async #write(group: readonly ReadSession[]): Promise<void> {
    const written = await this.#writeTogether(group.map(({ session }) => session));
    for (const read of group) {
      const { id } = read.session;
      if (written.has(id)) this.#count("imported", { id });
      else await this.#writeAlone(read);
    }
  }

  /** None when the database refuses one of them: which one shows when each is written alone. */
  async #writeTogether(sessions: readonly SessionImport[]): Promise<ReadonlySet<string>> {
    const { owner } = this.#options;
    const parentOf = (session: SessionImport) => this.#parentOf(session);
    try {
      return await writeGroup(this.#sql, { owner, sessions, parentOf });
    } catch (error) {
      if (!refusesValue(error)) throw error;
      return new Set();
    }
  }

  async #writeAlone(read: ReadSession): Promise<void> {
    const { session } = read;
    try {
      const { id, outcome } = await this.#placeFor(session.record);
      if (outcome === "new") {
        await session.store({ id, parentId: this.#parentOf(session) });
        await session.finish();
      }
      this.#count(outcome === "new" ? "imported" : outcome, { id: session.id });
      await this.#unlock();
    } catch (error) {
      await this.#leaveOut(read, readable(error));
    }
  }

  async #finish(session: SessionImport): Promise<void> {
    await session.finish();
    this.#current = null;
    this.#count("imported", { id: session.id });
    await this.#unlock();
  }

  async #leaveOut({ session, line }: ReadSession, error: ImportError): Promise<void> {
    const { title, id } = session.record;
    addProblem(this.#options.report, { line, title: title || id, error });
    this.#count("failed", { id, error });
    try {
      await session.abort();
    } finally {
      await this.#unlock();
    }
  }

  /** Returns `false` when it is there already. */
  async #isStored(session: SessionImport): Promise<boolean> {
    if (session.isStored) return true;
    await this.settle();
    const { id, outcome } = await this.#placeFor(session.record);
    if (outcome !== "new") {
      await this.#skipPresent(session, outcome);
      return false;
    }
    await session.store({ id, parentId: this.#parentOf(session) });
    return true;
  }

  async #isThere(session: SessionImport): Promise<boolean> {
    try {
      const { outcome } = await this.#placeFor(session.record);
      if (outcome === "new") return false;
      await this.#skipPresent(session, outcome);
      return true;
    } catch (error) {
      // The session is left out for its fault; a missing database ends the import.
      readable(error);
      return false;
    }
  }

  async #skipPresent({ id }: SessionImport, outcome: "already" | "restored"): Promise<void> {
    this.#current = null;
    this.#isSkipping = true;
    this.#count(outcome, { id });
    await this.#unlock();
  }

  #count(
    outcome: "imported" | "already" | "restored" | "failed",
    { id, error }: { readonly id: string; readonly error?: ImportError },
  ): void {
    const message = error?.message;
    const sessionId = this.idOf(id);
    addOutcome(this.#options.report, { id, sessionId, outcome, ...(message && { message }) });
  }

  #parentOf({ record: { parentSessionId } }: SessionImport): string | null {
    return parentSessionId && this.idOf(parentSessionId);
  }

  /** A locked id, derived from its leaves when another session has its own. */
  async #placeFor(
    record: SessionRecordOf<"session">,
  ): Promise<{ readonly id: string; readonly outcome: ImportOutcome }> {
    const { owner } = this.#options;
    for (const id of [record.id, nameOf(record)]) {
      await this.#unlock();
      const key = { owner, session: id };
      if (!(await lockImport(this.#sql, key)))
        throw new ImportError("This session is being imported already.", "id");
      this.#locked = key;
      const present = await this.#present(id, record.leafIds);
      if (present && !present.has_all) continue;
      if (id !== record.id) this.#renamed.set(record.id, id);
      if (!present) return { id, outcome: "new" };
      if (!present.is_deleted) return { id, outcome: "already" };
      await drizzleOn(this.#sql)
        .update(chatSession)
        .set({ deletedAt: null })
        .where(and(eq(chatSession.ownerId, owner), eq(chatSession.sessionId, id)));
      return { id, outcome: "restored" };
    }
    throw new ImportError("Another session has this id, and so has the copy of it.", "id");
  }

  async #present(
    id: string,
    leafIds: readonly string[],
  ): Promise<{ is_deleted: boolean; has_all: boolean } | undefined> {
    const { owner } = this.#options;
    const [row] = await this.#sql<{ is_deleted: boolean; has_all: boolean }[]>`
      select session.deleted_at is not null as is_deleted, session.source is distinct from ${movedSource} and not exists (
        select from unnest(${leafIds as string[]}::text[]) leaf (id)
        where not exists (select from chat_locate(${owner}, ${id}, leaf.id))
      ) as has_all
      from chat_session session
      where session.owner_id = ${owner} and session.session_id = ${id} and session.source is distinct from ${importingSource}`;
    return row;
  }

  async #unlock(): Promise<void> {
    const locked = this.#locked;
    this.#locked = null;
    if (locked) await unlockImport(this.#sql, locked);
  }
}

function endMissing(type: string): ImportError {
  return new ImportError(`A session ends with “session-end”, not “${type}”.`, "type");
}

function addTo(
  session: SessionImport,
  record: SessionRecordOf<
    "gap" | "compaction" | "skill" | "answer" | "block" | "document" | "version"
  >,
): Promise<void> | void {
  switch (record.type) {
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
  }
}

function nameOf({ id, leafIds }: SessionRecordOf<"session">): string {
  const hash = createHash("sha256").update(JSON.stringify([id, leafIds.toSorted()]));
  const hex = hash.digest("hex");
  return [0, 8, 12, 16, 20].map((at, n) => hex.slice(at, [8, 12, 16, 20, 32][n])).join("-");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
