import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, unixSocket } from "../connect";

export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

export function findPgBouncer(): string | null {
  const folders = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Pools transactions, as hosts of Postgres do, over few connections, so that sessions mix. */
export async function startPgBouncer(program: string, target: string): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "grove-pgbouncer-"));
  const port = await freePort();
  const account = await accountFor(target);
  const config = join(folder, "pgbouncer.ini");
  await writeFile(config, configFor(target, port));
  await chmod(folder, 0o755);
  if (account) await chown(folder, account.uid, account.gid);
  const child = spawn(program, ["-q", config], { stdio: ["ignore", "ignore", "pipe"], ...account });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const address = new URL(target);
  const { username, pathname } = address;
  const url = `postgres://${username || "postgres"}@127.0.0.1:${port}${pathname}`;
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  if (await answers(url, child)) return { url, stop };
  await stop();
  throw new Error(`PgBouncer does not answer: ${said}`);
}

function configFor(target: string, port: number): string {
  const { username, password, hostname, port: ownPort, pathname } = new URL(target);
  const socket = unixSocket(target);
  const [, directory, socketPort] = /^(.*)\/\.s\.PGSQL\.(\d+)$/.exec(socket?.path ?? "") ?? [];
  const place = socket
    ? `host=${directory} port=${socketPort}`
    : `host=${hostname} port=${ownPort || "5432"}`;
  const user = decodeURIComponent(username) || "postgres";
  const secret = password ? ` password=${decodeURIComponent(password)}` : "";
  return `[databases]
* = ${place} dbname=${pathname.slice(1)} user=${user}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
`;
}

/** PgBouncer refuses to run as root, and a Unix socket may be its owner's alone. */
async function accountFor(target: string): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const socket = unixSocket(target);
  if (!socket) return { uid: 65_534, gid: 65_534 };
  const { uid, gid } = await stat(socket.path);
  return { uid, gid };
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  const sql = connect(url, { max: 1, directUrl: url, connect_timeout: 2 });
  try {
    for (let attempt = 0; attempt < 50 && child.exitCode === null; attempt++) {
      const isThere = await sql`select 1`.then(
        () => true,
        () => false,
      );
      if (isThere) return true;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return false;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
