import type { z } from "zod";
import type { ChosenTools } from "@/lib/chat/core/tool-source";
import { toolsWire } from "@/lib/chat/tools/owner-tools";
import type {
  SignInWire,
  ToolServerWire,
  ToolsWire,
  writeServerRequest,
} from "@/lib/chat/wire/tools";
import type { ConfiguredServer, ConfiguredServersOf } from "./configured-servers";
import {
  removeServer,
  requireServer,
  type ServerOwner,
  type StoredServer,
  saveServer,
  storedServers,
  writtenServer,
} from "./mcp-servers";
import { readServer, signInFailure } from "./mcp-tools";
import { beginSignIn, endSignIn } from "./sign-in";

export class ToolServers {
  readonly #owner: ServerOwner & { readonly tools: ChosenTools };
  readonly #configured: ConfiguredServersOf;

  constructor(
    owner: ServerOwner & { readonly tools: ChosenTools },
    configured: ConfiguredServersOf,
  ) {
    this.#owner = owner;
    this.#configured = configured;
  }

  async view(): Promise<ToolsWire> {
    const [tools, stored, configured] = await Promise.all([
      toolsWire(this.#owner.tools),
      storedServers(this.#owner),
      this.#configured(),
    ]);
    return { tools, servers: [...stored.map(serverWire), ...configured.map(configuredWire)] };
  }

  async write(id: string, request: z.output<typeof writeServerRequest>): Promise<ToolsWire> {
    const written = await writtenServer(this.#owner, { ...request, id, key: request.key });
    await saveServer(this.#owner, written.server, written.secrets);
    return this.read(id);
  }

  async read(id: string): Promise<ToolsWire> {
    const configured = (await this.#configured()).find((server) => server.id === id);
    if (configured) await configured.readAgain();
    else await readServer(this.#owner, id);
    this.#owner.tools.forget();
    return this.view();
  }

  async remove(id: string): Promise<ToolsWire> {
    await removeServer(this.#owner, id);
    this.#owner.tools.forget();
    return this.view();
  }

  async beginSignIn(id: string, redirectUrl: string): Promise<SignInWire> {
    const { name } = await requireServer(this.#owner, id);
    try {
      const page = await beginSignIn(this.#owner, id, redirectUrl);
      if (page === null) await this.read(id);
      return { page };
    } catch (error) {
      throw signInFailure(error, name);
    }
  }

  async endSignIn(answer: { code: string; state: string; iss: string | undefined }): Promise<void> {
    try {
      const { id } = await endSignIn(this.#owner, answer);
      await this.read(id);
    } catch (error) {
      throw signInFailure(error, "the server");
    }
  }
}

function serverWire(server: StoredServer): ToolServerWire {
  const { id, name, url, header, keyHint, problem, leftOut, signIn } = server;
  return { id, name, url, header, keyHint, problem, leftOut, signIn, lastLines: [] };
}

function configuredWire({
  id,
  name,
  problem,
  lastLines,
  leftOut,
}: ConfiguredServer): ToolServerWire {
  const unset = { url: null, header: null, keyHint: null, signIn: "none" } as const;
  return { id, name, problem, lastLines, leftOut, ...unset };
}
