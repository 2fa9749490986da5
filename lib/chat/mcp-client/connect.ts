import {
  Client,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type OAuthClientProvider,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { guardedFetch } from "./guarded-fetch";
import { type ListedTools, limits, listedTools, type ToolsRead } from "./listed-tools";
import type { CallQuestions } from "./questions";
import { tolerantFetch } from "./tolerant-fetch";
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
/** Some servers and programs never answer what they do not know. */
const probeMs = 5_000;
/** Over HTTP, a late answer becomes one of a server that does not know the request. */
const httpProbeMs = 4_000;
const closeMs = 3_000;
const mostPages = 64;
/** Time for all pages of a list. */
const listMs = 30_000;
const clientInfo = { name: "grove", title: "Grove", version: "1" };

/** Answers a question of a server to the person. */
type Elicit = (
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  signal: AbortSignal,
) => Promise<ElicitResult>;

/** Without `elicit` its server cannot ask the person. @throws when the server does not answer in time, or refuses. */
async function connectTo(address: ServerAddress, elicit?: Elicit): Promise<Client> {
  try {
    return await connectOver(transportTo(address), elicit);
  } catch (error) {
    // A server of 2024 refuses to be posted to at its address. The protocol says to try the older transport then.
    if (address.kind !== "http" || !isRefusal(error)) throw error;
    return connectOver(oldTransportTo(address), elicit).catch(() => Promise.reject(error));
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof SdkHttpError && [400, 404, 405, 406].includes(error.status ?? 0);
}

async function connectOver(transport: Transport, elicit: Elicit | undefined): Promise<Client> {
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
    const received = tolerant(transport, (what) => leftOut.push(what));
    await client.connect(received, { timeout: connectMs });
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
  const tools: Tool[] = [];
  const cursors = new Set<string>();
  const endsAt = performance.now() + listMs;
  for (let cursor: string | undefined; ; ) {
    const params = cursor === undefined ? {} : { cursor };
    const timeout = Math.min(connectMs, Math.max(1, endsAt - performance.now()));
    const options = { timeout, ...(signal && { signal }) };
    const page = await client.request({ method: "tools/list", params }, options);
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
    const isEndless = cursors.has(cursor) || cursors.size + 2 > mostPages;
    if (isEndless) unreadable.get(client)?.push("the rest of a list that does not end");
    if (isEndless || tools.length > limits.tools) break;
    cursors.add(cursor);
  }
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

function oldTransportTo(address: Extract<ServerAddress, { kind: "http" }>): Transport {
  const { url, headers, authProvider, fetch } = address;
  return new SSEClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: tolerantFetch(guardedFetch(url, fetch), { probeMs: httpProbeMs }),
    ...(authProvider && { authProvider }),
  });
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
    fetch: tolerantFetch(guardedFetch(url, fetch), { probeMs: httpProbeMs }),
    ...(authProvider && { authProvider }),
  });
}

/** The connections of one answer: one to each server, made when a tool is first called, closed with the answer. */
export class Connections {
  readonly #open = new Map<string, Promise<Client>>();
  readonly #left = new Set<Client>();
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

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /**
   * Leaves a connection that its server may have forgotten, so that the next call makes another. Calls that use it go on:
   * it is closed with the answer.
   */
  async leave(id: string, client: Client): Promise<void> {
    this.#left.add(client);
    const open = await this.#open.get(id)?.catch(() => null);
    if (open === client) this.#open.delete(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#open.values()];
    this.#open.clear();
    const left = [...this.#left].map(close);
    await Promise.all([...left, ...open.map((client) => client.then(close, () => undefined))]);
  }
}
