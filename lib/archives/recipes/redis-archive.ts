import type { SessionArchive } from "../../session/internal";
import { namedFailures } from "../named-failures";

/** A connected client of `redis`, or a function around another. */
export interface RedisClient {
  sendCommand(command: string[]): Promise<unknown>;
}

export interface RedisArchiveOptions {
  /** Prefix of each key; one for each owner. Default `archive:`. */
  readonly prefix?: string | undefined;
}

const keysAtOnce = "500";

/** A hash for each session in Redis or Valkey, written by one command. */
export function redisArchive(
  client: RedisClient,
  { prefix = "archive:" }: RedisArchiveOptions = {},
): SessionArchive {
  const send = (...command: string[]) => client.sendCommand(command);
  return namedFailures("The archive in Redis", {
    async put(sessionId, text) {
      await send("HSET", prefix + sessionId, "text", text, "archivedAt", new Date().toISOString());
    },

    async get(sessionId) {
      const text = await send("HGET", prefix + sessionId, "text");
      return text === null ? null : String(text);
    },

    async *list() {
      for await (const key of keysWith(prefix, send)) {
        const archivedAt = await send("HGET", key, "archivedAt");
        if (archivedAt === null) continue;
        yield {
          sessionId: key.slice(prefix.length),
          archivedAt: new Date(String(archivedAt)),
          bytes: Number(await send("HSTRLEN", key, "text")),
        };
      }
    },

    async delete(sessionId) {
      return Number(await send("DEL", prefix + sessionId)) > 0;
    },
  });
}

/** A scan may return a key twice. */
async function* keysWith(
  prefix: string,
  send: (...command: string[]) => Promise<unknown>,
): AsyncGenerator<string> {
  const seen = new Set<string>();
  const pattern = `${prefix.replace(/[\\*?[\]]/g, "\\$&")}*`;
  let cursor = "0";
  do {
    const answer = await send("SCAN", cursor, "MATCH", pattern, "COUNT", keysAtOnce);
    const [next, keys] = answer as [unknown, readonly unknown[]];
    for (const key of keys.map(String)) {
      if (!seen.has(key)) yield key;
      seen.add(key);
    }
    cursor = String(next);
  } while (cursor !== "0");
}
