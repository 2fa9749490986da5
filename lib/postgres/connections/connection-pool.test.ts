import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ConnectOptions, connect } from "../connect";
import { startTcpProxy } from "../testing/tcp-proxy";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { ownConnection } from "./own-connection";
import { identifier, type Sql } from "./sql";
import { transaction } from "./statement";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

function pool(options?: ConnectOptions): Sql {
  return poolAt(database.url, options);
}

function poolAt(url: string, options?: ConnectOptions): Sql {
  const sql = connect(url, options);
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}

async function pidOf(sql: Sql): Promise<number> {
  const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  return row.pid;
}

function codeOf(statement: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(statement).then(
    () => null,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

describe("a pool", () => {
  test("uses the connection used last", async () => {
    const sql = pool({ max: 3 });
    await Promise.all([sql`select pg_sleep(0.05)`, sql`select pg_sleep(0.05)`]);
    const pid = await pidOf(sql);
    expect([await pidOf(sql), await pidOf(sql)]).toEqual([pid, pid]);
  });

  test("opens no more connections than it may", async () => {
    const sql = pool({ max: 2 });
    const pids = await Promise.all(Array.from({ length: 20 }, () => pidOf(sql)));
    expect(new Set(pids).size).toBe(2);
  });

  test("replaces an idle connection that was killed, unseen", async () => {
    const sql = pool({ max: 1 });
    const pid = await pidOf(sql);
    await database.sql`select pg_terminate_backend(${pid}, 5000)`;
    await expect.poll(() => codeOf(sql`select 1`)).toBeNull();
    expect(await pidOf(sql)).not.toBe(pid);
  });

  test("fails the statement of a connection that is killed, and answers the next", async () => {
    const sql = pool({ max: 1 });
    const pid = await pidOf(sql);
    const slow = codeOf(sql`select pg_sleep(60)`);
    const next = sql`select 1 as one`;
    await database.sql`select pg_terminate_backend(${pid})`;
    // The latter where the server has not read the statement yet.
    expect(["CONNECTION_CLOSED", "ECONNRESET"]).toContain(await slow);
    expect([...(await next)]).toEqual([{ one: 1 }]);
  });

  test("has the server break off a statement at its deadline and keeps the connection", async () => {
    const sql = pool({ max: 1, deadlineMs: 50 });
    const pid = await pidOf(sql);
    expect(await codeOf(sql`select pg_sleep(60)`)).toBe("57014");
    expect(await pidOf(sql)).toBe(pid);
  });

  test("closes connections that are not used", async () => {
    const sql = pool({ max: 2, idle_timeout: 0.05 });
    await pidOf(sql);
    const pid = await pidOf(sql);
    const stillThere = async () => {
      const rows = await database.sql`select 1 from pg_stat_activity where pid = ${pid}`;
      return rows.length;
    };
    await expect.poll(stillThere).toBe(0);
    expect(await pidOf(sql)).not.toBe(pid);
  });

  test("gives the reason of a refused login each time", async () => {
    const url = new URL(database.url);
    url.pathname = "/missing";
    const sql = poolAt(url.href, { max: 1 });
    expect([await codeOf(sql`select 1`), await codeOf(sql`select 1`)]).toEqual(["3D000", "3D000"]);
  });

  test("ends with itself the connections opened beside it", async () => {
    const sql = connect(database.url);
    const own = ownConnection(sql, { deadlineMs: null });
    const slow = codeOf(own`select pg_sleep(60)`);
    await sql.end({ timeout: 0 });
    expect(await slow).toBe("CONNECTION_ENDED");
  });

  test("replaces connections of an age", async () => {
    const sql = pool({ max: 1, max_lifetime: 0.001 });
    const pid = await pidOf(sql);
    await sql`select pg_sleep(0.01)`;
    expect(await pidOf(sql)).not.toBe(pid);
  });

  test("waits at its end for what runs and refuses what comes later", async () => {
    const sql = connect(database.url, { max: 1 });
    const running = Promise.all([sql`select pg_sleep(0.05)`, sql`select 2 as two`]);
    const ended = sql.end();
    expect(await codeOf(sql`select 1`)).toBe("CONNECTION_ENDED");
    await ended;
    expect([...(await running)[1]]).toEqual([{ two: 2 }]);
  });

  test("breaks off at its end what takes longer", async () => {
    const sql = connect(database.url, { max: 1 });
    const slow = codeOf(sql`select pg_sleep(60)`);
    await sql.end({ timeout: 0.05 });
    expect(await slow).toBe("CONNECTION_ENDED");
  });

  test("nests fragments, lists of fragments and identifiers in a statement", async () => {
    const sql = pool();
    const conditions = [sql`n > ${1}`, sql`and n < ${4}`];
    const rows = await sql`
      select ${identifier("n")} from generate_series(1, 5) n where ${conditions} and ${sql`n <> ${2}`}`;
    expect([...rows]).toEqual([{ n: 3 }]);
  });

  test("quotes identifiers", async () => {
    const name = 'a "b".c';
    expect([...(await pool()`select 1 as ${identifier(name)}`)]).toEqual([{ [name]: 1 }]);
  });

  test("gives the rows of a stream as they arrive", async () => {
    const sql = pool();
    const seen: number[] = [];
    const rows = sql<{ n: number }[]>`select n from generate_series(1, ${3}::integer) n`;
    await sql.stream(rows, ({ n }) => void seen.push(n));
    expect(seen).toEqual([1, 2, 3]);
  });

  test("finishes a transaction at its end", async () => {
    const sql = connect(database.url, { max: 1 });
    const done = transaction(sql, async (own) => {
      await own`select pg_sleep(0.1)`;
      return "done";
    });
    await sql.end();
    expect(await done).toBe("done");
  });

  test("undoes a transaction that fails and keeps its connection", async () => {
    const sql = pool({ max: 1 });
    const pid = await pidOf(sql);
    const undone = transaction(sql, async (own) => {
      await own`create table undone ()`;
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([...(await sql`select to_regclass('undone') as name`)]).toEqual([{ name: null }]);
    expect(await pidOf(sql)).toBe(pid);
  });
});

describe("a silent database", () => {
  const deadlineMs = 100;

  async function throughProxy() {
    const proxy = await startTcpProxy(database.url);
    onTestFinished(() => proxy.close());
    return proxy;
  }

  test("fails the statement at its deadline, and the ones that wait with it", {
    tags: "long",
  }, async () => {
    const proxy = await throughProxy();
    const sql = poolAt(proxy.url, { max: 1, deadlineMs, connect_timeout: 5 });
    await sql`select 1`;
    proxy.silence();
    const asked = [codeOf(sql`select 1`), codeOf(sql`select 2`)];
    expect(await Promise.all(asked)).toEqual(["DATABASE_SILENT", "DATABASE_SILENT"]);
  });

  test("fails also a statement that was asked after the one that fails first", {
    tags: "long",
  }, async () => {
    const proxy = await throughProxy();
    const sql = poolAt(proxy.url, { max: 2, deadlineMs, connect_timeout: 5 });
    await Promise.all([sql`select 1`, sql`select 2`]);
    proxy.silence();
    const first = codeOf(sql`select 1`);
    await new Promise((later) => setTimeout(later, deadlineMs));
    const second = codeOf(sql`select 2`);
    expect([await first, await second]).toEqual(["DATABASE_SILENT", "DATABASE_SILENT"]);
  });

  test("is asked by one statement at a time, and works again when it speaks", {
    tags: "long",
  }, async () => {
    const proxy = await throughProxy();
    const sql = poolAt(proxy.url, { max: 3, deadlineMs, connect_timeout: 5 });
    proxy.silence();
    expect(await codeOf(sql`select 1`)).toBe("DATABASE_SILENT");
    const asking = codeOf(sql`select 1`);
    expect(await codeOf(sql`select 2`)).toBe("DATABASE_SILENT");
    proxy.speak();
    await asking;
    await expect.poll(() => codeOf(sql`select 3`)).toBeNull();
  });
});

describe("a statement that the server rolls back because others come first", () => {
  /** Refuses the first `times` calls; a sequence counts what is rolled back, too. */
  async function refusing(code: string, times: number): Promise<Sql> {
    const sql = pool({ max: 1 });
    await sql.unsafe(`
      drop sequence if exists calls;
      create sequence calls;
      create or replace function refused() returns bigint language plpgsql as $$
      declare
        _call bigint := nextval('calls');
      begin
        if _call <= ${times} then raise exception 'another came first' using errcode = '${code}'; end if;
        return _call;
      end
      $$`);
    return sql;
  }

  test.each(["40P01", "40001"])("is sent again after %s", async (code) => {
    const sql = await refusing(code, 3);
    expect(await sql`select refused()::integer as calls`).toEqual([{ calls: 4 }]);
  });

  test("fails at the fifth time", async () => {
    const sql = await refusing("40P01", 9);
    expect(await codeOf(sql`select refused()`)).toBe("40P01");
    expect(await sql`select last_value::integer as calls from calls`).toEqual([{ calls: 5 }]);
  });

  test("is not sent again after any other refusal", async () => {
    const sql = await refusing("40003", 9);
    expect(await codeOf(sql`select refused()`)).toBe("40003");
    expect(await sql`select last_value::integer as calls from calls`).toEqual([{ calls: 1 }]);
  });
});
