import {
  Client,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { guardedFetch } from "./guarded-fetch";
import { type ListedTools, listedTools, type ToolsRead } from "./listed-tools";
import type { CallQuestions } from "./questions";
import { tolerant } from "./tolerant-transport";

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
      /** Decides which addresses its owner may reach. */
      readonly fetch?: typeof fetch | undefined;
    };

const connectMs = 15_000;
/** Some programs never answer what they do not know. */
const probeMs = 5_000;
const closeMs = 3_000;
const clientInfo = { name: "grove", title: "Grove", version: "1" };

/** Answers a question of a server to the person. */
type Elicit = (
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  signal: AbortSignal,
) => Promise<ElicitResult>;

/** Without `elicit` its server cannot ask the person. @throws when the server does not answer in time, or refuses. */
async function connectTo(address: ServerAddress, elicit?: Elicit): Promise<Client> {
  const client = new Client(clientInfo, {
    capabilities: elicit ? { elicitation: { form: {}, url: {} } } : {},
    versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
  });
  if (elicit) {
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      elicit(params, mcpReq.signal),
    );
  }
  try {
    const leftOut: string[] = [];
    unreadable.set(client, leftOut);
    const transport = tolerant(transportTo(address), (what) => leftOut.push(what));
    await client.connect(transport, { timeout: connectMs });
    return client;
  } catch (error) {
    await close(client);
    throw error;
  }
}

/** By connection, what was left out of the lists that came over it. */
const unreadable = new WeakMap<Client, string[]>();

/** All its tools that can be read, and what else its list holds, in words. */
export async function toolsOf(client: Client, signal?: AbortSignal): Promise<ToolsRead> {
  unreadable.get(client)?.splice(0);
  const { tools } = await client.listTools(undefined, {
    timeout: connectMs,
    cacheMode: "bypass",
    ...(signal && { signal }),
  });
  return { tools, unreadable: [...(unreadable.get(client) ?? [])] };
}

/** Connects for this alone. */
export async function readTools(
  address: ServerAddress,
  hide: (text: string) => string,
): Promise<ListedTools> {
  const client = await connectTo(address);
  try {
    return listedTools(await toolsOf(client), hide);
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
  const { url, headers, authProvider, fetch } = address;
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: guardedFetch(url, fetch),
    ...(authProvider && { authProvider }),
  });
}

/** The connections of one answer: one to each server, made when a tool is first called, closed with the answer. */
export class Connections {
  readonly #open = new Map<string, Promise<Client>>();
  /** By server. A question comes over a connection, and names no call: it is the oldest one's. */
  readonly #calls = new Map<string, CallQuestions[]>();
  #isClosed = false;

  /** Call `close` when the call has ended. */
  call(id: string, questions: CallQuestions): { readonly close: () => void } {
    const calls = this.#calls.get(id) ?? [];
    this.#calls.set(id, calls);
    calls.push(questions);
    return { close: () => void calls.splice(calls.indexOf(questions), 1) };
  }

  to(
    id: string,
    address: () => Promise<ServerAddress>,
    { mayAsk }: { mayAsk: boolean },
  ): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new Error("The answer has ended."));
    const known = this.#open.get(id);
    if (known) return known;
    const elicit: Elicit = async (params, signal) => {
      const [first] = this.#calls.get(id) ?? [];
      return first ? first.answer(params, signal) : { action: "cancel" };
    };
    const opening = address().then((found) => connectTo(found, mayAsk ? elicit : undefined));
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
