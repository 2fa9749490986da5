import { readFileSync } from "node:fs";
import { z } from "zod";
import { secretHiding } from "@/lib/llm";
import { readTools, type ServerCommand } from "./connect";
import type { ListedTool, ListedTools } from "./listed-tools";
import { freePrefix } from "./mcp-servers";

const configSchema = z.object({
  mcpServers: z.record(
    z.string().trim().min(1).max(50),
    z.object({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
    }),
  ),
});

/**
 * Servers that Grove runs as programs. Only a file of the machine's owner names them: a page, or a person with a login,
 * must not run programs.
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

/** Those that an owner may use at the moment. */
export type ConfiguredServersOf = () => Promise<readonly ConfiguredServer[]>;

/** Its tools are listed once it has answered, which no answer waits for. */
export class ConfiguredServer {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly command: ServerCommand;
  /** Removes its keys from a text. */
  readonly hide: (text: string) => string;
  #tools: readonly ListedTool[] = [];
  #leftOut: readonly string[] = [];
  #problem: string | null = null;
  /** Resolves after the first attempt to list its tools. */
  readonly ready: Promise<void>;

  constructor(
    { name, prefix, command }: { name: string; prefix: string; command: ServerCommand },
    onFailure: (error: unknown) => void,
  ) {
    this.id = `configured ${name}`;
    this.name = name;
    this.prefix = prefix;
    this.command = command;
    this.hide = secretHiding(secretsIn(command.env));
    this.ready = readTools({ kind: "command", command }, this.hide).then(
      (read) => this.keep(read),
      (error: unknown) => {
        this.#problem = this.hide(error instanceof Error ? error.message : String(error));
        onFailure(error);
      },
    );
  }

  get problem(): string | null {
    return this.#problem;
  }

  listed(): readonly ListedTool[] {
    return this.#tools;
  }

  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  keep({ tools, leftOut }: ListedTools): void {
    this.#tools = tools;
    this.#leftOut = leftOut;
    this.#problem = null;
  }
}

const secretNames = /key|token|secret|passw|auth|credential/i;

/** Other variables hold ordinary words, such as paths. */
function secretsIn(env: ServerCommand["env"]): string[] {
  return Object.entries(env).flatMap(([name, value]) => (secretNames.test(name) ? [value] : []));
}
