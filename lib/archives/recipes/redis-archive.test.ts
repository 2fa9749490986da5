import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import { freePort, startRedis } from "@/lib/archives/testing/redis-server";
import { describeArchive } from "@/lib/session/testing";
import { type RedisClient, redisArchive } from "./redis-archive";

const server = await startRedis();
const clients: Redis[] = [];
const brokenPort = await freePort();

afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server?.stop();
});

function connect(port: number): RedisClient {
  const redis = new Redis({ port, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on("error", () => undefined);
  clients.push(redis);
  return { sendCommand: ([name = "", ...values]) => redis.call(name, ...values) };
}

describe.skipIf(!server)("with redis-server", () => {
  const client = connect(server?.port ?? brokenPort);
  describeArchive(
    `redisArchive on a real Redis ${server?.version ?? ""}`,
    (owner) => redisArchive(client, { prefix: `archive:${owner}:` }),
    { makeBroken: () => redisArchive(connect(brokenPort)) },
  );

  test("a prefix with signs of a pattern lists its own keys alone", async () => {
    const archive = redisArchive(client, { prefix: "a[*]?:" });
    await archive.put("tea", "text");
    await redisArchive(client, { prefix: "aX:" }).put("coffee", "text");
    for await (const { sessionId } of archive.list()) expect(sessionId).toBe("tea");
  });

  test("thousands of sessions are listed once each", async () => {
    const archive = redisArchive(client, { prefix: "many:" });
    await Promise.all(Array.from({ length: 3_000 }, (_, n) => archive.put(`s${n}`, "text")));
    const ids = [];
    for await (const { sessionId } of archive.list()) ids.push(sessionId);
    expect([ids.length, new Set(ids).size]).toEqual([3_000, 3_000]);
  });
});
