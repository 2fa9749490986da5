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
import { tolerantFetch } from "./tolerant-fetch";
import { tolerant } from "./tolerant-transport";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

export type ServerAddress =
  | { readonly kind: "command"; readonly command: ServerCommand }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly authProvider?: OAuthClientProvider | undefined;
      /** Differs after another sign-in. */
      readonly signIn?: string | undefined;
      readonly fetch?: typeof fetch | undefined;
    };

const connectMs = 15_000;
/** Some servers and programs never answer unknown requests. */
const probeMs = 5_000;
/** Package runners load a program before its first start. */
const firstStart = { connectMs: 60_000, probeMs: 20_000 };
/** Over HTTP, a late answer becomes that of a server that does not know the request. */
const httpProbeMs = 4_000;
const endSessionMs = 2_000;
/** A program has 4 s to end before it is killed. */
const closeMs = 5_000;
const mostPages = 64;
const listMs = 30_000;
const clientInfo = { name: "grove", title: "Grove", version: "1" };

export type Elicit = (
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  signal: AbortSignal,
) => Promise<ElicitResult>;

export interface ConnectOptions {
  /** Absent when nobody can be asked. */
  readonly elicit?: Elicit | undefined;
  readonly isFirstStart?: boolean | undefined;
  readonly onStderr?: ((text: string) => void) | undefined;
}

export async function connectTo(
  address: ServerAddress,
  options: ConnectOptions = {},
): Promise<Client> {
  try {
    return await connectOver(transportTo(address, options), options);
  } catch (error) {
    // A server of 2024 refuses POST at its address; the protocol then wants the older transport.
    if (address.kind !== "http" || !isRefusal(error)) throw error;
    return connectOver(oldTransportTo(address), options).catch(() => Promise.reject(error));
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof SdkHttpError && [400, 404, 405, 406].includes(error.status ?? 0);
}

async function connectOver(
  transport: Transport,
  { elicit, isFirstStart = false }: ConnectOptions,
): Promise<Client> {
  const times = isFirstStart ? firstStart : { connectMs, probeMs };
  const client = new Client(clientInfo, {
    capabilities: elicit ? { elicitation: { form: {}, url: {} } } : {},
    versionNegotiation: { mode: "auto", probe: { timeoutMs: times.probeMs } },
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
    await client.connect(received, { timeout: times.connectMs });
    return client;
  } catch (error) {
    await close(client);
    throw error;
  }
}

const unreadable = new WeakMap<Client, string[]>();

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

/** Says that a person can be asked, since a server may list other tools otherwise. */
export async function readTools(
  address: ServerAddress,
  hide: (text: string) => string,
  options: Omit<ConnectOptions, "elicit"> = {},
): Promise<ListedTools> {
  const client = await connectTo(address, { ...options, elicit: nobody });
  try {
    return listedTools(await toolsOf(client), hide);
  } finally {
    await close(client);
  }
}

const nobody: Elicit = async () => ({ action: "cancel" });

export async function close(client: Client): Promise<void> {
  const { transport } = client;
  // A server that is gone, or forgot the session, has nothing to end.
  if (transport instanceof StreamableHTTPClientTransport)
    await within(endSessionMs, transport.terminateSession());
  await within(closeMs, client.close());
}

async function within(ms: number, ending: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([ending.catch(() => undefined), late.promise]);
  clearTimeout(timer);
}

const certificateNames = [
  "NODE_EXTRA_CA_CERTS",
  "NODE_USE_SYSTEM_CA",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
  "NPM_CONFIG_CAFILE",
  "npm_config_cafile",
];

/** The SDK passes six variables on: a program would not trust the network's own certificates. */
function certificates(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    certificateNames.flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
}

function oldTransportTo(address: Extract<ServerAddress, { kind: "http" }>): Transport {
  const { url, headers, authProvider, fetch } = address;
  return new SSEClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: tolerantFetch(guardedFetch(url, fetch), { probeMs: httpProbeMs }),
    ...(authProvider && { authProvider }),
  });
}

function transportTo(address: ServerAddress, { onStderr }: ConnectOptions): Transport {
  if (address.kind === "command") {
    const { command, args, env, cwd } = address.command;
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      ...(cwd !== undefined && { cwd }),
      env: { ...certificates(process.env), ...env },
      stderr: onStderr ? "pipe" : "ignore",
    });
    const decoder = new TextDecoder();
    transport.stderr?.on("data", (bytes: Buffer) =>
      onStderr?.(decoder.decode(bytes, { stream: true })),
    );
    return transport;
  }
  const { url, headers, authProvider, fetch } = address;
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: tolerantFetch(guardedFetch(url, fetch), { probeMs: httpProbeMs }),
    ...(authProvider && { authProvider }),
  });
}
