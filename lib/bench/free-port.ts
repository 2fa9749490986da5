import { once } from "node:events";
import { createServer } from "node:net";

/** A TCP port on loopback that nobody uses right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (!address || typeof address !== "object") throw new Error("No TCP port is free.");
  return address.port;
}
