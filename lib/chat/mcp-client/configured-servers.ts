import { readFileSync } from "node:fs";
import { z } from "zod";
import { secretHiding } from "@/lib/llm";
import { readTools, type ServerCommand } from "./connect";
import { failureSentence } from "./failure-sentence";
import { LastLines } from "./last-lines";
import type { ListedTool, ListedTools } from "./listed-tools";
import { freePrefix } from "./mcp-servers";

const configSchema = z.object({
  mcpServers: z.record(
    z.string().trim().min(1).max(50),
    z.object({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
      cwd: z.string().min(1).optional(),
    }),
  ),
});

/**
 * Only a file of the machine's owner names programs: a page, or a person with a login, must not run them.
 *
 * @throws {Error} naming the file that cannot be read.
 */
export function configuredServers(
  path: string | undefined,
  onFailure: (error: unknown) => void,
): ConfiguredServer[] {
  if (path === undefined || path === "") return [];
  let servers: z.output<typeof configSchema>["mcpServers"];
  try {
    servers = configSchema.parse(JSON.parse(readFileSync(path, "utf8"))).mcpServers;
  } catch (cause) {
    throw new Error(`GROVE_MCP_CONFIG names ${path}, which is no list of MCP servers.`, { cause });
  }
  const prefixes: string[] = [];
  return Object.entries(servers).map(([name, command]) => {
    const prefix = freePrefix(`local ${name}`, prefixes);
    prefixes.push(prefix);
    return new ConfiguredServer({ name, prefix, command }, onFailure);
  });
}

export type ConfiguredServersOf = () => Promise<readonly ConfiguredServer[]>;

/** The last pause repeats. */
const retryPausesMs = [5_000, 15_000, 60_000, 300_000, 900_000];

interface NamedServer {
  readonly name: string;
  readonly prefix: string;
  readonly command: ServerCommand;
}

/** Tries again while the program has not answered. No answer waits for it. */
export class ConfiguredServer {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly command: ServerCommand;
  readonly hide: (text: string) => string;
  readonly ready: Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #pausesMs: readonly number[];
  #tools: readonly ListedTool[] = [];
  #leftOut: readonly string[] = [];
  #problem: string | null = null;
  #lastLines: readonly string[] = [];
  #hasStarted = false;
  #failures = 0;
  #isOver = false;
  #retry: NodeJS.Timeout | undefined;
  #reading: Promise<void> | null = null;

  constructor(
    { name, prefix, command }: NamedServer,
    onFailure: (error: unknown) => void,
    { pausesMs = retryPausesMs }: { readonly pausesMs?: readonly number[] } = {},
  ) {
    this.id = `configured ${name}`;
    this.name = name;
    this.prefix = prefix;
    this.command = command;
    this.hide = secretHiding(secretsIn(command));
    this.#onFailure = onFailure;
    this.#pausesMs = pausesMs;
    this.ready = this.read();
  }

  /** Failures are its problem, and never thrown. */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** A read under way began before the person asked. */
  async readAgain(): Promise<void> {
    await this.#reading;
    await this.read();
  }

  async #read(): Promise<void> {
    clearTimeout(this.#retry);
    const lines = new LastLines();
    const address = { kind: "command", command: this.command } as const;
    try {
      const read = await readTools(address, this.hide, {
        isFirstStart: !this.#hasStarted,
        onStderr: (text) => lines.add(text),
      });
      this.#hasStarted = true;
      this.keep(read);
    } catch (error) {
      this.#problem = failureSentence(error, this.name, this.hide);
      this.#lastLines = lines.read(this.hide);
      this.#retryLater();
      this.#onFailure(error);
    }
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
  }

  #retryLater(): void {
    const pauseMs = this.#pausesMs[this.#failures] ?? this.#pausesMs.at(-1);
    this.#failures += 1;
    if (pauseMs !== undefined && !this.#isOver)
      this.#retry = setTimeout(() => void this.read(), pauseMs).unref();
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** The program wrote them before its start failed. */
  get lastLines(): readonly string[] {
    return this.#lastLines;
  }

  listed(): readonly ListedTool[] {
    return this.#tools;
  }

  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  keep({ tools, leftOut }: ListedTools): void {
    clearTimeout(this.#retry);
    this.#failures = 0;
    this.#tools = tools;
    this.#leftOut = leftOut;
    this.#problem = null;
    this.#lastLines = [];
  }
}

const secretNames = /key|token|secret|passw|auth|credential/i;
const secretArgument = /^--?[\w-]*(?:key|token|secret|passw|auth|credential)[\w-]*(?:=(.+))?$/i;

/** Other variables and arguments hold ordinary words, such as paths. */
function secretsIn({ env, args }: ServerCommand): string[] {
  const ofEnvironment = Object.entries(env).flatMap(([name, value]) =>
    secretNames.test(name) ? [value] : [],
  );
  const ofArguments = args.flatMap((argument, at) => {
    const named = secretArgument.exec(argument);
    return named ? [named[1] ?? args[at + 1] ?? ""] : [];
  });
  return [...ofEnvironment, ...ofArguments];
}
