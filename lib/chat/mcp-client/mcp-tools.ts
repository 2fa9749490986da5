import { setTimeout as delay } from "node:timers/promises";
import {
  type Client,
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { jsonSchema, type Tool, tool } from "ai";
import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText, mapTexts } from "@/lib/chat/core/clean-text";
import type { FileStore } from "@/lib/chat/core/file-store";
import type { OwnerTool, ToolRun, ToolSource } from "@/lib/chat/core/tool-source";
import { redactSecrets, secretHiding } from "@/lib/llm";
import type { ConfiguredServersOf } from "./configured-servers";
import { Connections, readTools, type ServerAddress, toolsOf } from "./connect";
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
import { SignInNeededError, signInProvider } from "./sign-in";
import { type McpOutput, mcpOutput, mcpText, ToolFailedError } from "./tool-output";

const callMs = 60_000;
const longestCallMs = 10 * 60_000;
const progressEveryMs = 500;
const longestWithQuestionsMs = 3 * 60 * 60_000;

/** Tools of one owner's servers, as they were last listed: an answer waits for no server until it calls one. */
export class McpTools implements ToolSource {
  readonly #owner: ServerOwner;
  readonly #files: FileStore;
  readonly #configured: ConfiguredServersOf;
  /** By the run, which registers what to close. */
  readonly #runs = new WeakMap<ToolRun["atEnd"], Connections>();
  #stored: Promise<readonly StoredServer[]> | null = null;

  constructor(
    owner: ServerOwner,
    { files, configured }: { files: FileStore; configured: ConfiguredServersOf },
  ) {
    this.#owner = owner;
    this.#files = files;
    this.#configured = configured;
  }

  /** Call after the owner's settings have changed. */
  forget(): void {
    this.#stored = null;
  }

  async tools(): Promise<OwnerTool[]> {
    this.#stored ??= storedServers(this.#owner);
    const reading = this.#stored;
    reading.catch(() => {
      if (this.#stored === reading) this.#stored = null;
    });
    const servers: ReadonlyArray<ServerTools> = [
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
    return servers.flatMap((server) => server.tools.map((listed) => this.#tool(server, listed)));
  }

  #tool(server: ServerTools, listed: ListedTool): OwnerTool {
    const { name: origin, prefix } = server;
    return {
      name: offeredName(prefix, listed.name),
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
      description: `[From the server “${server.name}”] ${listed.description}`,
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

  #connectionsOf(run: ToolRun): Connections {
    const known = this.#runs.get(run.atEnd);
    if (known) return known;
    const connections = new Connections();
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

type Hide = (text: string) => string;

interface ServerTools {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly tools: readonly ListedTool[];
  address(): Promise<ServerAddress>;
  /** Removes the server's keys from a text; again after a call, which may have brought new ones. */
  hiding(): Promise<Hide>;
  /** Keeps what the server says now. */
  onChange(tools: ListedTools): Promise<void>;
}

interface Call {
  readonly connections: Connections;
  readonly server: ServerTools;
  readonly listed: ListedTool;
  readonly input: Record<string, unknown>;
  readonly files: FileStore;
  /** `null` where nobody can be asked. */
  readonly questions: CallQuestions | null;
  readonly signal: AbortSignal | undefined;
}

/** Yields progress and questions, then the output. @throws {Error} with a sentence for the model and the person. */
async function* callTool(call: Call): AsyncGenerator<McpOutput> {
  const { connections, server, listed, input, files, questions, signal } = call;
  const known = questions && connections.call(server.id, questions);
  const over = new AbortController();
  let hide: Hide | null = null;
  try {
    hide = await server.hiding();
    const client = await connected(call, hide);
    const clock = new CallClock();
    let progress: Progress | null = null;
    const calling = client.callTool(
      { name: listed.name, arguments: input },
      {
        // The clock ends the call, since it stops while the person is asked.
        timeout: longestWithQuestionsMs,
        onprogress: (reported) => {
          if (reported.message?.startsWith(ownProgress)) return;
          clock.restart();
          progress = reported;
        },
        signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
      },
    );
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
    throw new Error(sentence(error, server.name, hide), { cause: error });
  } finally {
    over.abort();
    known?.close();
  }
}

/** A connection whose server lists the tool as it did. One of an earlier call may be forgotten, and is made again. */
async function connected(call: Call, hide: Hide): Promise<Client> {
  const { connections, server, questions, signal } = call;
  const connect = () =>
    connections.to(server.id, () => server.address(), { mayAsk: questions !== null });
  const isEarlier = connections.has(server.id);
  const client = await connect();
  try {
    await assertUnchanged(client, call, hide);
    return client;
  } catch (error) {
    if (!isEarlier || error instanceof ChangedToolError || signal?.aborted) throw error;
    await connections.leave(server.id, client);
  }
  const again = await connect();
  await assertUnchanged(again, call, hide);
  return again;
}

class ChangedToolError extends Error {
  override readonly name = "ChangedToolError";
}

/** Begins what the client itself reports while it answers a question. */
const ownProgress = "Fulfilling input required";

/** Counts the time in which a server works. */
class CallClock {
  #last = performance.now();
  #quietMs = 0;
  #totalMs = 0;

  restart(): void {
    this.#quietMs = 0;
  }

  /** @throws {Error} when a call takes too long. Waiting for the person does not count. */
  tick(isAsking: boolean): void {
    const passedMs = performance.now() - this.#last;
    this.#last += passedMs;
    this.#quietMs = isAsking ? 0 : this.#quietMs + passedMs;
    if (!isAsking) this.#totalMs += passedMs;
    if (this.#quietMs > callMs) throw new Error("The tool did not answer for a minute.");
    if (this.#totalMs > longestCallMs) throw new Error("The tool did not finish in ten minutes.");
  }
}

/** The person allowed what the tool said it does, which its server may have changed since. */
async function assertUnchanged(
  client: Client,
  { server, listed, signal }: Call,
  hide: Hide,
): Promise<void> {
  const now = listedTools(await toolsOf(client, signal), hide);
  const same = now.tools.find(({ name }) => name === listed.name);
  const isSame = same?.version === listed.version;
  if (JSON.stringify(now.tools) !== JSON.stringify(server.tools)) await server.onChange(now);
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

/** At any depth, as the SDK wraps what a first request meets. */
function isUnauthorized(error: unknown): boolean {
  if (error instanceof UnauthorizedError || error instanceof SignInNeededError) return true;
  if (error instanceof SdkHttpError && error.status === 401) return true;
  return error instanceof Error && error.cause !== undefined && isUnauthorized(error.cause);
}

/** @param hide `null` where the keys are unknown, so that none of the server's words can be shown. */
function sentence(error: unknown, server: string, hide: Hide | null): string {
  if (isUnauthorized(error)) return new SignInNeededError(server).message;
  if (!hide) return `The call of “${server}” failed.`;
  const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  if (isLate) return `“${server}” did not answer in time.`;
  const message = error instanceof Error ? error.message : String(error);
  const bounded = message.slice(0, mostSearched);
  // The issues of what a model passed to a tool are in the server's own words, and correct the model.
  const isOwn = error instanceof ToolFailedError || error instanceof ProtocolError;
  const isInvalid = error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
  if (isInvalid || (!isOwn && schemaIssues.test(bounded)))
    return `“${server}” answered in a form that Grove cannot read.`;
  const hidden = redactSecrets(hide(cleanText(bounded)));
  const unread =
    message.length - bounded.length + (error instanceof ToolFailedError ? error.leftOut : 0);
  // A key that was cut is not found, and is at the end.
  const known = unread > 0 ? Math.max(0, hidden.length - longestKey) : hidden.length;
  const shown = hidden.slice(0, Math.min(mostShown, known));
  const leftOut = unread + hidden.length - shown.length;
  if (leftOut === 0) return shown;
  return `${shown.toWellFormed()}… (${leftOut.toLocaleString("en")} more characters)`;
}

/** Characters of a failure. */
const mostSearched = 20_000;
const mostShown = 2_000;
const longestKey = 8_000;

/** The SDK's errors hold the list of what its schema refuses. */
const schemaIssues = /"code": ?"(?:invalid|unrecognized|too)_|Invalid input: expected/;

/** @throws when its key cannot be opened. */
export async function addressOf(owner: ServerOwner, server: StoredServer): Promise<ServerAddress> {
  const secrets = await secretsOf(owner, server);
  const { key, redirectUrl } = secrets;
  const header = server.header ?? "Authorization";
  const value = server.header === null ? `Bearer ${key}` : key;
  return {
    kind: "http",
    url: server.url,
    fetch: owner.fetch,
    headers: key !== undefined && value !== undefined ? { [header]: value } : {},
    ...(redirectUrl !== undefined && {
      authProvider: signInProvider(owner, server, { secrets, redirectUrl }),
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

/** Reads a server's tools and stores them; a server that cannot be read keeps its old ones, and says why. */
export async function readServer(owner: ServerOwner, id: string): Promise<StoredServer> {
  const server = await requireServer(owner, id);
  const hide = await hidingOf(owner, server);
  const address = await addressOf(owner, server);
  const read = await readTools(address, hide).catch((error: unknown) => ({
    problem: sentence(error, server.name, hide),
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

/** Thrown to the person when a sign-in fails. */
export function signInFailure(error: unknown, server: string): ChatError {
  if (error instanceof ChatError) return error;
  return new ChatError(
    "server-failed",
    `Signing in to “${server}” failed: ${sentence(error, server, (text) => text)}`,
  );
}
