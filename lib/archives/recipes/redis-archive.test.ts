import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeArchive } from "../../session/testing";
import { freePort, redisVersion, startRedis } from "../testing/redis-server";
import { type RedisClient, redisArchive } from "./redis-archive";

const version = redisVersion();
const clients: Redis[] = [];
const [port, brokenPort] = [await freePort(), await freePort()];

afterAll(() => {
  for (const client of clients) client.disconnect();
});

function connect(port: number): RedisClient {
  const redis = new Redis({ port, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on("error", () => undefined);
  clients.push(redis);
  return { sendCommand: ([name = "", ...values]) => redis.call(name, ...values) };
}

describe.skipIf(version === null)("with redis-server", () => {
  let stop: (() => Promise<void>) | undefined;
  let client: RedisClient;
  beforeAll(async () => {
    stop = await startRedis(port);
    client = connect(port);
  });
  afterAll(() => stop?.());

  describeArchive(
    `redisArchive on a real Redis ${version ?? ""}`,
    (owner) => redisArchive(client, { prefix: `archive:${owner}:` }),
    { makeBroken: () => redisArchive(connect(brokenPort)) },
  );

  test("a prefix with signs of a pattern lists its own keys alone", async () => {
    const archive = redisArchive(client, { prefix: "a[*]?:" });
    await archive.put("tea", "text");
    await redisArchive(client, { prefix: "aX:" }).put("coffee", "text");
    for await (const { sessionId } of archive.list()) expect(sessionId).toBe("tea");
  });

  test("thousands of sessions are listed once each", { tags: "long" }, async () => {
    const archive = redisArchive(client, { prefix: "many:" });
    await Promise.all(Array.from({ length: 3_000 }, (_, n) => archive.put(`s${n}`, "text")));
    const ids = [];
    for await (const { sessionId } of archive.list()) ids.push(sessionId);
    expect([ids.length, new Set(ids).size]).toEqual([3_000, 3_000]);
  });
});
