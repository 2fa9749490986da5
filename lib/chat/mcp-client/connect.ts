import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { guardedFetch } from "./guarded-fetch";
import { type ListedTool, listedTools } from "./listed-tools";

/** A program of the configuration file. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type ServerAddress =
  | { readonly kind: "command"; readonly command: ServerCommand }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly authProvider?: OAuthClientProvider | undefined;
    };

const connectMs = 15_000;
const closeMs = 3_000;
const clientInfo = { name: "grove", title: "Grove", version: "1" };

/** @throws when the server does not answer in time, or refuses. */
export async function connectTo(address: ServerAddress, signal?: AbortSignal): Promise<Client> {
  const client = new Client(clientInfo, { capabilities: {} });
  try {
    await client.connect(transportTo(address), { timeout: connectMs, ...(signal && { signal }) });
    return client;
  } catch (error) {
    await close(client);
    throw error;
  }
}

/** All its tools. */
export async function toolsOf(client: Client, signal?: AbortSignal): Promise<readonly Tool[]> {
  const { tools } = await client.listTools(undefined, {
    timeout: connectMs,
    cacheMode: "bypass",
    ...(signal && { signal }),
  });
  return tools;
}

/** Connects for this alone. */
export async function readTools(address: ServerAddress): Promise<{ tools: ListedTool[] }> {
  const client = await connectTo(address);
  try {
    return { tools: listedTools(await toolsOf(client)) };
  } finally {
    await close(client);
  }
}

/** Never throws, and leaves a server that does not let go. */
export async function close(client: Client): Promise<void> {
  const ended = client.close().catch(() => undefined);
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, closeMs);
  await Promise.race([ended, late.promise]);
  clearTimeout(timer);
}

function transportTo(address: ServerAddress): Transport {
  if (address.kind === "command") {
    const { command, args, env } = address.command;
    return new StdioClientTransport({
      command,
      args: [...args],
      env: { ...env },
      stderr: "ignore",
    });
  }
  const { url, headers, authProvider } = address;
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: guardedFetch(url),
    ...(authProvider && { authProvider }),
  });
}

/** The connections of one answer: one to each server, made when a tool is first called, closed with the answer. */
export class Connections {
  readonly #open = new Map<string, Promise<Client>>();
  #isClosed = false;

  to(id: string, address: () => Promise<ServerAddress>): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new Error("The answer has ended."));
    const known = this.#open.get(id);
    if (known) return known;
    const opening = address().then((found) => connectTo(found));
    this.#open.set(id, opening);
    opening.catch(() => this.#open.delete(id));
    return opening;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map((client) => client.then(close, () => undefined)));
  }
}
