import { once } from "node:events";
import { createServer } from "node:http";

/** A site that is not Grove, on this machine: the nearest a hostile page can come. */
export async function startOtherSite(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>Elsewhere</title><iframe name=sink></iframe>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address !== "object") throw new Error("The other site has no address.");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
