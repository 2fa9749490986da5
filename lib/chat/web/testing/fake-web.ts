import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { Network } from "@/lib/chat/web/request-page";

export interface FakeWeb {
  /** Address of the one server behind every public address. */
  readonly origin: string;
  readonly network: Network;
  readonly dialled: string[];
  readonly resolved: string[];
  close(): Promise<void>;
}

type Addresses = Readonly<Record<string, readonly (readonly string[])[]>>;

/** A web of one server. Each name answers its lists of addresses in turn, and then repeats the last. */
export async function fakeWeb(listener: RequestListener, addresses: Addresses): Promise<FakeWeb> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const place = server.address();
  if (!place || typeof place === "string") throw new Error("The server has no port.");
  const { port } = place;
  const dialled: string[] = [];
  const resolved: string[] = [];
  return {
    origin: `http://127.0.0.1:${port}`,
    dialled,
    resolved,
    network: {
      resolve: async (name) => {
        const answers = addresses[name] ?? [];
        const turn = resolved.filter((each) => each === name).length;
        resolved.push(name);
        return answers[Math.min(turn, answers.length - 1)] ?? [];
      },
      dial: (address) => {
        dialled.push(address);
        return { address: "127.0.0.1", port };
      },
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
