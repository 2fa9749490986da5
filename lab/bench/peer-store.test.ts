import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { copyToPeer, createPeerTable, PeerStore } from "./peer-store";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await createPeerTable(database.sql);
});
afterAll(() => database.drop());

const message = (id: string, text: string) => ({
  id,
  role: "user" as const,
  parts: [{ type: "text", text }],
});

test("the peer reads its whole path, a message, its children and its matches", async () => {
  const path = [
    message("a", "rivers in spring"),
    message("b", "mountains"),
    message("c", "a river"),
  ];
  await copyToPeer(database.sql, "walk", path);
  await copyToPeer(database.sql, "elsewhere", [message("x", "river")]);
  const peer = new PeerStore(database.sql, "walk");
  const next = message("d", "the sea");
  await peer.appendMessage(next);

  expect(await peer.getHistory()).toEqual([...path, next]);
  expect(await peer.getMessage("b")).toEqual(path[1]);
  expect(await peer.getMessage("x")).toBeUndefined();
  expect(await peer.getBranches("c")).toEqual([next]);
  expect(await peer.getTree()).toHaveLength(4);
  expect((await peer.searchMessages("river")).map(({ id }) => id).sort()).toEqual(["a", "c"]);
});
