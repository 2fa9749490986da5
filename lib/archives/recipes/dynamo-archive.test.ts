import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDB, paginateScan, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeArchive } from "../../session/testing";
import { freePort } from "../testing/redis-server";
import { dynamoArchive } from "./dynamo-archive";

const table = "archive";
let server: Server;
let client: DynamoDB;

function connect(port: number): DynamoDB {
  return new DynamoDB({
    endpoint: `http://127.0.0.1:${port}`,
    region: "eu-central-1",
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    maxAttempts: 1,
  });
}

beforeAll(async () => {
  server = dynalite({ createTableMs: 0 });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  client = connect((server.address() as AddressInfo).port);
  await client.createTable({
    TableName: table,
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
    ],
    BillingMode: "PAY_PER_REQUEST",
  });
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: table });
});

afterAll(async () => {
  client.destroy();
  await new Promise((done) => server.close(done));
});

describe("on the emulator dynalite", { tags: "long" }, () => {
  describeArchive("dynamoArchive", (owner) => dynamoArchive(client, { table, owner }), {
    makeBroken: async () => dynamoArchive(connect(await freePort()), { table }),
  });
});

test("replacing and deleting a text leave no parts", { tags: "long" }, async () => {
  const archive = dynamoArchive(client, { table, owner: "parts" });
  const items = async () => {
    let count = 0;
    for await (const page of paginateScan({ client }, { TableName: table }))
      count += page.Count ?? 0;
    return count;
  };
  const before = await items();
  await archive.put("tea", "x".repeat(500_000));
  await archive.put("tea", "y".repeat(250_000));
  expect((await items()) - before).toBe(4);
  await archive.delete("tea");
  expect(await items()).toBe(before);
});

test("sessions that fill more than a page of DynamoDB are listed once each", {
  tags: "long",
}, async () => {
  const query = vi.spyOn(client, "query");
  const archive = dynamoArchive(client, { table, owner: "many" });
  const long = "x".repeat(1_000);
  for (let n = 0; n < 1_000; n += 100) {
    const some = Array.from({ length: 100 }, (_, each) => archive.put(`${long}${n + each}`, ""));
    await Promise.all(some);
  }
  const ids = [];
  for await (const { sessionId } of archive.list()) ids.push(sessionId);
  expect([ids.length, new Set(ids).size]).toEqual([1_000, 1_000]);
  expect(query.mock.calls.length).toBeGreaterThan(1);
});
