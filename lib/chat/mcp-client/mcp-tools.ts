import { setTimeout as delay } from "node:timers/promises";
import {
  type CallToolResult,
  type Client,
  type Progress,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { jsonSchema, type Tool, tool } from "ai";
import { estimateStringTokens } from "grove-session";
import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText, mapTexts } from "@/lib/chat/core/clean-text";
import type { FileStore } from "@/lib/chat/core/file-store";
import type { SpaceId } from "@/lib/chat/core/person-in-space";
import type { OwnerTool, ToolRun, ToolSource } from "@/lib/chat/core/tool-source";
import { secretHiding } from "@/lib/llm";
import type { ConfiguredServersOf } from "./configured-servers";
import { readTools, type ServerAddress, toolsOf } from "./connect";
import type { AnswerConnections, ConnectionCall, ToolConnections } from "./connections";
import { failureSentence, type Hide, isUnauthorized } from "./failure-sentence";
import { type ListedTool, type ListedTools, listedTools, offeredName } from "./listed-tools";
import {
  requireServer,
  type ServerOwner,
  type StoredServer,
  saveServer,
  secretsOf,
  storedServers,
} from "./mcp-servers";
import { CallQuestions } from "./questions";
import { signInProvider } from "./sign-in";
import { type McpOutput, mcpOutput, mcpText } from "./tool-output";

const callMs = 60_000;
const longestCallMs = 10 * 60_000;
const progressEveryMs = 500;
const longestWithQuestionsMs = 3 * 60 * 60_000;

interface McpToolsOptions {
  readonly spaceId: SpaceId;
  readonly files: FileStore;
  readonly configured: ConfiguredServersOf;
  readonly connections: ToolConnections;
}

/** An answer waits for no server until it calls one. */
export class McpTools implements ToolSource {
  readonly #owner: ServerOwner;
  readonly #spaceId: SpaceId;
  readonly #files: FileStore;
  readonly #configured: ConfiguredServersOf;
  readonly #connections: ToolConnections;
  readonly #runs = new WeakMap<ToolRun["atEnd"], AnswerConnections>();
  #stored: Promise<readonly StoredServer[]> | null = null;

  constructor(owner: ServerOwner, { spaceId, files, configured, connections }: McpToolsOptions) {
    this.#owner = owner;
    this.#spaceId = spaceId;
    this.#files = files;
    this.#configured = configured;
    this.#connections = connections;
  }

  forget(): void {
    this.#stored = null;
    // Connections to a changed server end later when the database is away.
    this.#endOldConnections().catch(() => undefined);
  }

  async tools(): Promise<OwnerTool[]> {
    const servers = await this.#servers();
    return servers.flatMap((server) => server.tools.map((listed) => this.#tool(server, listed)));
  }

  async #servers(): Promise<readonly ServerTools[]> {
    this.#stored ??= storedServers(this.#owner);
    const reading = this.#stored;
    reading.catch(() => {
      if (this.#stored === reading) this.#stored = null;
    });
    return [
      ...(await reading).map((server) => ({
        ...server,
        hiding: () => hidingOf(this.#owner, server),
        address: () => addressOf(this.#owner, server),
        onChange: (listed: ListedTools) => this.#keep(server.id, listed),
      })),
      ...(await this.#configured()).map((server) => ({
        ...server,
        tools: server.listed(),
        hiding: async () => server.hide,
        address: async () => ({ kind: "command" as const, command: server.command }),
        onChange: async (listed: ListedTools) => server.keep(listed),
      })),
    ];
  }

  async #endOldConnections(): Promise<void> {
    const { personId } = this.#owner;
    const connected = this.#connections.serversOf(personId);
    if (connected.length === 0) return;
    const servers = await this.#servers();
    for (const id of connected) {
      const server = servers.find((each) => each.id === id);
      this.#connections.endOthers(personId, id, server ? await server.address() : null);
    }
  }

  #tool(server: ServerTools, listed: ListedTool): OwnerTool {
    const { name: origin, prefix } = server;
    const name = offeredName(prefix, listed.name);
    return {
      name,
      get tokens() {
        return tokensOf(listed, `${name} ${descriptionOf(server, listed)}`);
      },
      title: listed.title,
      note: listed.description,
      version: listed.version,
      origin: { kind: "mcp", name: origin },
      serverId: server.id,
      defaultPolicy: "ask",
      make: (run) => this.#make(run, server, listed),
    };
  }

  #make(run: ToolRun, server: ServerTools, listed: ListedTool): Tool {
    const connections = this.#connectionsOf(run);
    return tool({
      description: descriptionOf(server, listed),
      inputSchema: jsonSchema<Record<string, unknown>>(listed.inputSchema),
      execute: (input, { abortSignal }) =>
        callTool({
          connections,
          server,
          listed,
          input,
          files: this.#files,
          questions: run.ask && new CallQuestions(server.name, run.ask),
          signal: abortSignal,
        }),
      toModelOutput: ({ output }) => ({ type: "text", value: mcpText(output as McpOutput) }),
    });
  }

  #connectionsOf(run: ToolRun): AnswerConnections {
    const known = this.#runs.get(run.atEnd);
    if (known) return known;
    const { personId } = this.#owner;
    const chat = { personId, spaceId: this.#spaceId, sessionId: run.sessionId };
    const connections = this.#connections.ofAnswer(chat);
    this.#runs.set(run.atEnd, connections);
    run.atEnd(() => connections.close());
    return connections;
  }

  async #keep(id: string, listed: ListedTools): Promise<void> {
    const server = await requireServer(this.#owner, id);
    await saveServer(this.#owner, { ...server, ...listed }, await secretsOf(this.#owner, server));
    this.forget();
  }
}

function descriptionOf({ name }: ServerTools, { description }: ListedTool): string {
  return `[From the server “${name}”] ${description}`;
}

const estimates = new WeakMap<ListedTool, number>();

/** Answers and the settings ask for all tools again and again. */
function tokensOf(listed: ListedTool, words: string): number {
  const known = estimates.get(listed);
  if (known !== undefined) return known;
  const tokens = estimateStringTokens(`${words} ${JSON.stringify(listed.inputSchema)}`);
  estimates.set(listed, tokens);
  return tokens;
}

interface ServerTools {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly tools: readonly ListedTool[];
  address(): Promise<ServerAddress>;
  /** Call this again after a call, which may have brought new keys. */
  hiding(): Promise<Hide>;
  onChange(tools: ListedTools): Promise<void>;
}

interface ServerCall {
  readonly connections: AnswerConnections;
  readonly server: ServerTools;
  readonly listed: ListedTool;
  readonly input: Record<string, unknown>;
  readonly files: FileStore;
  readonly questions: CallQuestions | null;
  readonly signal: AbortSignal | undefined;
}

async function* callTool(call: ServerCall): AsyncGenerator<McpOutput> {
  const { server, files, questions, signal } = call;
  const over = new AbortController();
  let connection: ConnectionCall | null = null;
  let hide: Hide | null = null;
  try {
    hide = await server.hiding();
    connection = await connected(call, hide);
    const clock = new CallClock();
    let progress: Progress | null = null;
    const request = {
      signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
      onprogress: (reported: Progress) => {
        if (reported.message?.startsWith(ownProgress)) return;
        clock.restart();
        progress = reported;
      },
    };
    const calling = called(call, { connection, hide, request });
    calling.catch(() => undefined);
    let shown = JSON.stringify({ text: "" });
    for (;;) {
      const result = await Promise.race([calling, delay(progressEveryMs, null, { signal })]);
      const asked = questions?.asked ?? [];
      if (result) {
        const output = await mcpOutput(mapTexts(result, await server.hiding()), files, signal);
        return yield { ...output, ...(asked.length > 0 && { asked }) };
      }
      const question = questions?.open ?? null;
      clock.tick(question !== null);
      const words = progress === null ? "" : progressWords(progress);
      const output = mapTexts<McpOutput>({ text: words, ...(question && { question }) }, hide);
      if (JSON.stringify(output) !== shown) yield output;
      shown = JSON.stringify(output);
    }
  } catch (error) {
    hide = await server.hiding().catch(() => hide);
    throw new Error(failureSentence(error, server.name, hide), { cause: error });
  } finally {
    over.abort();
    connection?.end();
  }
}

interface CallRequest {
  readonly connection: ConnectionCall;
  readonly hide: Hide;
  readonly request: {
    readonly signal: AbortSignal;
    readonly onprogress: (progress: Progress) => void;
  };
}

/** A server that has forgotten the session has not made the call, so it is made once more. */
async function called(
  call: ServerCall,
  { connection, hide, request }: CallRequest,
): Promise<CallToolResult> {
  const { listed, input } = call;
  const params = { name: listed.name, arguments: input };
  // The clock, which stops while the person is asked, ends the call.
  const options = { timeout: longestWithQuestionsMs, ...request };
  try {
    return await connection.client.callTool(params, options);
  } catch (error) {
    if (!isForgotten(error, connection.client)) throw error;
    connection.leave();
  }
  const again = await connected(call, hide);
  try {
    return await again.client.callTool(params, options);
  } finally {
    again.end();
  }
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management */
function isForgotten(error: unknown, { transport }: Client): boolean {
  const hasSession =
    transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined;
  return hasSession && error instanceof SdkHttpError && error.status === 404;
}

/** A connection of an earlier call may be forgotten by its server, and is made again. */
async function connected(call: ServerCall, hide: Hide): Promise<ConnectionCall> {
  const { connections, server, questions, signal } = call;
  const connection = await connections.call(server.id, () => server.address(), questions);
  try {
    await assertUnchanged(connection.client, call, hide);
    return connection;
  } catch (error) {
    connection.end();
    if (!connection.isEarlier || error instanceof ChangedToolError || signal?.aborted) throw error;
    connection.leave();
  }
  return connected(call, hide);
}

class ChangedToolError extends Error {
  override readonly name = "ChangedToolError";
}

const ownProgress = "Fulfilling input required";

class CallClock {
  #last = performance.now();
  #quietMs = 0;
  #totalMs = 0;

  restart(): void {
    this.#quietMs = 0;
  }

  tick(isAsking: boolean): void {
    const passedMs = performance.now() - this.#last;
    this.#last += passedMs;
    this.#quietMs = isAsking ? 0 : this.#quietMs + passedMs;
    if (!isAsking) this.#totalMs += passedMs;
    if (this.#quietMs > callMs) throw new Error("The tool did not answer for a minute.");
    if (this.#totalMs > longestCallMs) throw new Error("The tool did not finish in ten minutes.");
  }
}

/** The description may have changed since the person allowed the tool. */
async function assertUnchanged(
  client: Client,
  { server, listed, questions, signal }: ServerCall,
  hide: Hide,
): Promise<void> {
  const mayAsk = questions !== null;
  const now = listedTools(await toolsOf(client, signal), hide);
  const same = now.tools.find(({ name }) => name === listed.name);
  const isSame = same?.version === listed.version;
  const isNews = mayAsk || (same !== undefined && !isSame);
  if (isNews && JSON.stringify(now.tools) !== JSON.stringify(server.tools))
    await server.onChange(now);
  if (isSame) return;
  throw new ChangedToolError(
    same
      ? `“${listed.title}” on “${server.name}” has changed what it says it does, so it was not called. Ask again, and the person can look at it.`
      : `“${server.name}” no longer has “${listed.title}”.`,
  );
}

function progressWords({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return cleanText(message === undefined ? count : `${message} (${count})`).slice(0, 200);
}

export async function addressOf(owner: ServerOwner, server: StoredServer): Promise<ServerAddress> {
  const secrets = await secretsOf(owner, server);
  const { key, redirectUrl, verifier } = secrets;
  const header = server.header ?? "Authorization";
  const value = server.header === null ? `Bearer ${key}` : key;
  return {
    kind: "http",
    url: server.url,
    fetch: owner.fetch,
    signIn: verifier,
    headers: key !== undefined && value !== undefined ? { [header]: value } : {},
    ...(redirectUrl !== undefined && {
      authProvider: signInProvider(owner, server, { redirectUrl }),
    }),
  };
}

async function hidingOf(owner: ServerOwner, server: StoredServer): Promise<Hide> {
  const { key, client, tokens } = await secretsOf(owner, server);
  const given = oauthSecrets.parse({ ...Object(client), ...Object(tokens) });
  return secretHiding([key, ...Object.values(given)].filter((value) => value !== undefined));
}

const oauthSecrets = z
  .object({
    client_secret: z.string(),
    registration_access_token: z.string(),
    access_token: z.string(),
    refresh_token: z.string(),
    id_token: z.string(),
  })
  .partial()
  .catch({});

/** An unreadable server keeps its old tools and the reason. */
export async function readServer(owner: ServerOwner, id: string): Promise<StoredServer> {
  const server = await requireServer(owner, id);
  const hide = await hidingOf(owner, server);
  const address = await addressOf(owner, server);
  const read = await readTools(address, hide).catch((error: unknown) => ({
    problem: failureSentence(error, server.name, hide),
    isSignInNeeded: isUnauthorized(error),
  }));
  // A sign-in may have stored new tokens meanwhile.
  const secrets = await secretsOf(owner, server);
  const signIn = secrets.tokens === undefined ? "none" : "done";
  const now: StoredServer =
    "tools" in read
      ? { ...server, ...read, problem: null, signIn }
      : { ...server, problem: read.problem, signIn: read.isSignInNeeded ? "needed" : signIn };
  await saveServer(owner, now, secrets);
  return now;
}

export function signInFailure(error: unknown, server: string): ChatError {
  if (error instanceof ChatError) return error;
  return new ChatError(
    "server-failed",
    `Signing in to “${server}” failed: ${failureSentence(error, server, (text) => text)}`,
  );
}
