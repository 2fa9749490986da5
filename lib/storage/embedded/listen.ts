import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type ListenOptions } from "node:net";
import { join } from "node:path";
import { clusterPassword } from "./cluster";
import { EmbeddedPostgresError } from "./embedded-postgres-error";
import { giveTo, type Placement } from "./placement";

export type Listen =
  | { kind: "socket"; directory: string; port: number }
  | { kind: "tcp"; port: number; password: string };

export type Transport = Listen["kind"];

/** The system allows 104 bytes with the closing zero on macOS, 108 on Linux. */
const longestSocketPath = 103;

/** Windows uses loopback with a random password. */
export const defaultTransport: Transport = process.platform === "win32" ? "tcp" : "socket";

export async function chooseListen(placement: Placement, transport: Transport): Promise<Listen> {
  if (transport === "tcp") {
    return {
      kind: "tcp",
      port: await freePort(),
      password: await clusterPassword(placement.folder),
    };
  }
  const { folder } = placement;
  const directory = (await canHoldSocket(folder)) ? folder : await shortDirectory(placement);
  return { kind: "socket", directory, port: 5432 };
}

export async function forgetListen(listen: Listen, folder: string): Promise<void> {
  if (listen.kind === "socket" && listen.directory !== folder) {
    await rm(listen.directory, { recursive: true, force: true });
  }
}

export function addressOf(
  listen: Listen,
  { user, database }: { user: string; database: string },
): string {
  if (listen.kind === "tcp") {
    return `postgres://${user}:${listen.password}@127.0.0.1:${listen.port}/${database}`;
  }
  const place = new URLSearchParams({ host: listen.directory, port: String(listen.port) });
  return `postgres://${user}@localhost/${database}?${place}`;
}

async function canHoldSocket(directory: string): Promise<boolean> {
  if (Buffer.byteLength(`${directory}/.s.PGSQL.5432`) > longestSocketPath) return false;
  // Shared and network folders often do not support sockets.
  return (await listenOnce(join(directory, `.probe-${process.pid}`))) !== null;
}

async function shortDirectory({ account }: Placement): Promise<string> {
  // `os.tmpdir()` is long on macOS, and may be closed to Postgres' account under root.
  const directory = await mkdtemp("/tmp/grove-");
  await giveTo(account, directory);
  return directory;
}

async function freePort(): Promise<number> {
  const address = await listenOnce({ port: 0, host: "127.0.0.1" });
  if (address && typeof address === "object") return address.port;
  throw new EmbeddedPostgresError("No TCP port is free on this machine.", { code: "failed" });
}

/** The server is closed again; `null` when it could not listen. */
function listenOnce(place: string | ListenOptions): Promise<AddressInfo | string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(null));
    server.listen(place, () => {
      const address = server.address();
      server.close(() => done(address));
    });
  });
}

export function adminAddress(listen: Listen): string {
  return addressOf(listen, { user: "postgres", database: "postgres" });
}
