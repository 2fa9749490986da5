import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface PageInHalves extends AsyncDisposable {
  readonly address: string;
  /** Lets second halves come. */
  readonly release: () => void;
}

/** Passes everything on to Grove at `grove`; of its pages only what stands before `mark`, until released. */
export async function pageInHalves(grove: string, mark: string): Promise<PageInHalves> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { hostname, port, host } = new URL(grove);
  const pass = async (answer: IncomingMessage, to: ServerResponse) => {
    const { "content-length": _, ...headers } = answer.headers;
    to.writeHead(answer.statusCode ?? 500, headers);
    if (!headers["content-type"]?.startsWith("text/html")) return void answer.pipe(to);
    const page = await text(answer);
    const half = page.indexOf(mark);
    if (half !== -1) to.write(page.slice(0, half));
    await released;
    to.end(page.slice(Math.max(half, 0)));
  };
  const server = createServer((asked, to) => {
    const { url: path, method } = asked;
    const headers = { ...asked.headers, host, "accept-encoding": "identity" };
    const passed = request({ hostname, port, path, method, headers }, (answer) => {
      pass(answer, to).catch((error: Error) => to.destroy(error));
    });
    passed.on("error", (error) => to.destroy(error));
    asked.pipe(passed);
  });
  server.listen(0, hostname);
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `http://${hostname}:${own}`,
    release,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
