import { type AddressInfo, connect as connectSocket, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connect, unixSocket } from "./connect";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1);
}

/** A server on a port of its own, whose every database is `database`. */
async function serverOf(database: TestDatabase, named: string): Promise<number> {
  const socket = unixSocket(database.url);
  const { hostname, port } = new URL(database.url);
  const target = socket ? { path: socket.path } : { host: hostname, port: Number(port || 5432) };
  const server = createServer((client) => {
    const upstream = connectSocket(target);
    client.once("data", (first) => {
      // Both names have the same length.
      upstream.write(first.toString("latin1").replace(named, nameOf(database)), "latin1");
      client.pipe(upstream);
    });
    upstream.pipe(client);
    for (const end of [client, upstream]) end.on("error", () => undefined);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Of two servers the first takes no writes. */
async function twoServers() {
  const databases = [await createTestDatabase(), await createTestDatabase()] as const;
  const [first, second] = databases;
  for (const each of databases) onTestFinished(() => each.drop());
  const setReadOnly = (database: TestDatabase, isOn: boolean) =>
    database.sql.unsafe(
      `alter database "${nameOf(database)}" set default_transaction_read_only = ${isOn}`,
    );
  await setReadOnly(first, true);
  const name = nameOf(first);
  const ports = [await serverOf(first, name), await serverOf(second, name)];
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
  const url = new URL(unixSocket(first.url)?.url ?? first.url);
  const login = url.password ? `${url.username}:${url.password}` : url.username;
  const sql = connect(`postgres://${login}@${hosts}/${name}?target_session_attrs=read-write`, {
    max: 1,
  });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const asked = async () => {
    const [row] = await sql<{ name: string }[]>`select current_database() as name`;
    return row?.name;
  };
  return { sql, first, second, asked, setReadOnly };
}

test("a connection is to the server that takes writes, also when another is named first", async () => {
  const { sql, second, asked } = await twoServers();
  expect(await asked()).toBe(nameOf(second));
  await sql`insert into chat_owner (owner_id) values ('o')`;
  expect(await second.sql`select owner_id from chat_owner`).toEqual([{ owner_id: "o" }]);
});

test("after a write that was refused as on a standby, the next statement finds the other server", async () => {
  const { sql, first, second, asked, setReadOnly } = await twoServers();
  expect(await asked()).toBe(nameOf(second));
  await setReadOnly(first, false);
  await setReadOnly(second, true);
  await sql`set default_transaction_read_only = on`;
  const write = () => sql`insert into chat_owner (owner_id) values ('o')`;
  await expect(write()).rejects.toMatchObject({ code: "25006" });
  await write();
  expect(await first.sql`select owner_id from chat_owner`).toEqual([{ owner_id: "o" }]);
});

test("of servers that all take no writes, none is used", async () => {
  const { second, asked, setReadOnly } = await twoServers();
  await setReadOnly(second, true);
  await expect(asked()).rejects.toMatchObject({ code: "NO_WRITABLE_SERVER" });
});
