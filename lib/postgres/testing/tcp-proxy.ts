import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { unixSocket } from "../connect";

export interface TcpProxy {
  readonly url: string;
  /** Accepts connections and bytes, and passes on nothing more. */
  silence(): void;
  /** Passes on everything, also waiting bytes. */
  speak(): void;
  close(): Promise<void>;
}

/**
 * Listens on loopback and forwards to the server of `target`, an address of TCP or a Unix socket. `listen` makes, for
 * each connection, what is given the bytes of its client.
 */
export async function startTcpProxy(
  target: string,
  listen: () => (bytes: Buffer) => void = () => () => undefined,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = connect(addressOf(target));
    client.on("data", listen());
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.end();
      });
      if (isSilent) from.pause();
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: urlThrough(target, port),
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    speak() {
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function addressOf(target: string): { path: string } | { host: string; port: number } {
  const socket = unixSocket(target);
  if (socket) return { path: socket.path };
  const { hostname, port } = new URL(target);
  return { host: hostname, port: Number(port || "5432") };
}

function urlThrough(target: string, port: number): string {
  const url = new URL(unixSocket(target)?.url ?? target);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return url.href;
}
