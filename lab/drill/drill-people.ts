import { createHash, randomBytes } from "node:crypto";
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Sql } from "grove-session/postgres";
import { z } from "zod";
import { PostgresAccounts } from "@/lib/storage/accounts/postgres-accounts";

/** Origin as a proxy passes it on. */
export const drillOrigin = "https://grove.test";
const host = new URL(drillOrigin).host;
const monthMs = 30 * 86_400_000;

export interface Person {
  readonly name: string;
  readonly ownerId: string;
  readonly cookie: string;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly cookie?: string;
  readonly key?: string | undefined;
  readonly type?: string;
  readonly body?: unknown;
  readonly lines?: string;
  /** Milliseconds until the client hangs up. */
  readonly leavesAfter?: number | null;
  /** The client's address, for a server that trusts one proxy. */
  readonly from?: string;
  /** Reads a stream to its end instead of a moment. */
  readonly readsOn?: boolean;
}

export interface Received {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage["headers"];
}

const streamMs = 50;

/** The server thinks a proxy for https is in front. `null` means that the client hung up before the answer. */
export class ProxiedClient {
  readonly #agent: Agent;
  readonly #address: string;

  constructor(address: string, maxSockets: number) {
    this.#address = address;
    this.#agent = new Agent({ keepAlive: true, maxSockets });
  }

  end(): void {
    this.#agent.destroy();
  }

  /** Sends again on a new connection when the server had closed the kept one just then, as browsers do. */
  async send(sent: Sent): Promise<Received | null> {
    try {
      return await this.#send(sent);
    } catch (error) {
      if (!(error instanceof ClosedBeforeError)) throw error;
      return this.#send(sent, false);
    }
  }

  #send(
    {
      method = "GET",
      path,
      cookie = "",
      key,
      type = "application/json",
      body,
      lines,
      leavesAfter = null,
      from,
      readsOn = false,
    }: Sent,
    agent: Agent | false = this.#agent,
  ): Promise<Received | null> {
    const content = method === "GET" ? "" : (lines ?? JSON.stringify(body ?? {}));
    return new Promise((done, fail) => {
      let isLeaving = false;
      const request = httpRequest(
        `${this.#address}${path}`,
        {
          method,
          agent,
          headers: {
            host,
            origin: drillOrigin,
            cookie,
            "content-type": type,
            // Node frames no body of a DELETE otherwise.
            "content-length": Buffer.byteLength(content),
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(from !== undefined && { "x-forwarded-for": from }),
          },
        },
        (response) => {
          const { statusCode: status = 0, headers } = response;
          let text = "";
          const end = () => done({ status, text, headers });
          response.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk;
          });
          response.once("end", end);
          response.once("error", () => (isLeaving ? done(null) : end()));
          if (readsOn || !headers["content-type"]?.startsWith("text/event-stream")) return;
          setTimeout(() => {
            end();
            request.destroy();
          }, streamMs);
        },
      );
      request.once("error", (error) => {
        if (isLeaving) done(null);
        else fail(wasClosedBefore(request, error) ? new ClosedBeforeError() : error);
      });
      request.end(content);
      if (leavesAfter === null) return;
      setTimeout(() => {
        isLeaving = true;
        request.destroy();
        done(null);
      }, leavesAfter);
    });
  }
}

class ClosedBeforeError extends Error {
  override readonly name = "ClosedBeforeError";
}

function wasClosedBefore({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return reusedSocket && error.code === "ECONNRESET";
}

/** Makes an account with an invite that is put into the database. */
export async function joinAs(
  client: ProxiedClient,
  {
    sql,
    name,
    role,
    from,
  }: { sql: Sql; name: string; role: "owner" | "admin" | "member"; from?: string },
): Promise<Person> {
  const secret = randomBytes(32).toString("base64url");
  await new PostgresAccounts(sql).addInvite({
    id: crypto.randomUUID(),
    hash: createHash("sha256").update(secret).digest("hex"),
    role,
    email: null,
    createdBy: null,
    expiresAt: new Date(Date.now() + monthMs),
  });
  const body = { secret, name, email: `${name}@example.org`, password: `the password of ${name}` };
  const made = await client.send({
    method: "POST",
    path: "/api/account/accept",
    body,
    ...(from !== undefined && { from }),
  });
  if (made?.status !== 201) throw new Error(`${name} could not join: ${made?.text}`);
  const cookie = (made.headers["set-cookie"] ?? []).map((each) => each.split(";", 1)[0]).join("; ");
  const [row] = await sql<{ owner_id: string }[]>`
    select owner_id from account_user where name = ${name}`;
  return { name, cookie, ownerId: row?.owner_id ?? "" };
}

/** @returns the secret of a key with everything that a key can be allowed. */
export async function keyOf(client: ProxiedClient, { cookie }: Person): Promise<string> {
  const body = {
    name: "A program",
    canWrite: true,
    usesMemory: true,
    models: null,
    monthlyLimit: null,
    mcp: ["chats:read", "chats:search", "memory:read", "memory:write"],
  };
  const made = await client.send({ method: "POST", path: "/api/keys", cookie, body });
  return z.object({ secret: z.string() }).parse(JSON.parse(made?.text ?? "{}")).secret;
}
