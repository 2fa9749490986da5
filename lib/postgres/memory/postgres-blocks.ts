import type { Sql } from "postgres";
import { postgresFailure } from "@/lib/postgres/database-error";
import { storableText } from "@/lib/postgres/storable";
import * as queries from "./blocks";

/** A block as a person sets it up. `sessionId` of `null` means it holds in every session. */
export interface NewBlock {
  readonly label: string;
  readonly sessionId: string | null;
  readonly description: string;
  readonly kind: "readonly" | "writable" | "searchable" | "loadable";
  readonly writers: "person" | "both";
  readonly maxTokens: number | null;
}

/** A block as it is set up. */
export interface BlockSetup extends NewBlock {
  /** Stays when it is renamed; unique in its scope. */
  readonly id: number;
}

interface BlockPlace {
  readonly label: string;
  readonly sessionId: string | null;
}

const uniqueViolation = "23505";

/** The blocks one owner has set up. */
export class PostgresBlocks {
  readonly #sql: Sql;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#sql = sql;
    this.#owner = ownerId;
  }

  /** Those of every session, then those of one, each in the order they were made. */
  async list(sessionId: string | null): Promise<BlockSetup[]> {
    const rows = await queries.listBlocks(this.#sql, { owner: this.#owner, session: sessionId });
    return rows.map(({ scope, max_tokens: maxTokens, ...row }) => ({
      ...row,
      sessionId: scope === "" ? null : scope,
      maxTokens,
    }));
  }

  /** `false` when the label is taken. A label counts as taken when two blocks of one session would have it. */
  add(block: NewBlock): Promise<boolean> {
    return queries.insertBlock(this.#sql, this.#owner, rowOf(block));
  }

  /** Notes what is different about a block, whether or not something was noted before. */
  put(block: NewBlock): Promise<void> {
    return queries.upsertBlock(this.#sql, this.#owner, rowOf(block));
  }

  /** Gives a block another label; its texts and their versions come along. `false` when the label is taken. */
  async rename({ label: from, sessionId }: BlockPlace, to: string): Promise<boolean> {
    const place = { owner: this.#owner, scope: sessionId ?? "" };
    return orTaken(() => queries.renameBlock(this.#sql, { ...place, from, to }));
  }

  /** Takes a block away with its texts. @returns what brings it back; `null` when there is none. */
  async remove({ label, sessionId }: BlockPlace): Promise<string | null> {
    const deletion = crypto.randomUUID();
    const place = { owner: this.#owner, scope: sessionId ?? "", label };
    return (await queries.deleteBlock(this.#sql, { ...place, deletion })) ? deletion : null;
  }

  /** A deleted block and the label it had; `null` for an unknown deletion. */
  async deleted(deletionId: string): Promise<BlockPlace | null> {
    if (deletionId.includes("\0")) return null;
    const key = { owner: this.#owner, deletion: deletionId };
    const row = await queries.readDeletedBlock(this.#sql, key);
    return row ? { label: row.label, sessionId: row.scope === "" ? null : row.scope } : null;
  }

  /** Undoes a deletion. `false` when the label has been taken since. */
  async restore(deletionId: string, { label, sessionId }: BlockPlace): Promise<boolean> {
    const place = { owner: this.#owner, scope: sessionId ?? "", label, deletion: deletionId };
    return orTaken(() => queries.restoreBlock(this.#sql, place));
  }
}

function rowOf({ sessionId, description, ...block }: NewBlock) {
  return { ...block, scope: sessionId ?? "", description: storableText(description) };
}

/** Text may lie under a label without a block: what a script has written, or an export brought. */
async function orTaken(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    if (postgresFailure(error)?.code === uniqueViolation) return false;
    throw error;
  }
}
