import type { ReservedSql, Sql } from "postgres";

/** Held by the one import of a session. Released with its connection, also by a process that dies. */
export class ImportLock {
  readonly #connection: ReservedSql;
  readonly #key: string;
  #isHeld = true;

  private constructor(connection: ReservedSql, key: string) {
    this.#connection = connection;
    this.#key = key;
  }

  /** `null` while another import holds it. */
  static async take(
    sql: Sql,
    { owner, session }: { owner: string; session: string },
  ): Promise<ImportLock | null> {
    const connection = await sql.reserve();
    const key = JSON.stringify(["import", owner, session]);
    try {
      const [row] = await connection<{ held: boolean }[]>`
        select pg_try_advisory_lock(hashtextextended(${key}, 0)) as held`;
      if (row?.held) return new ImportLock(connection, key);
    } catch (error) {
      connection.release();
      throw error;
    }
    connection.release();
    return null;
  }

  /** A second call does nothing. */
  async release(): Promise<void> {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    try {
      await this.#connection`select pg_advisory_unlock(hashtextextended(${this.#key}, 0))`;
    } finally {
      this.#connection.release();
    }
  }
}
