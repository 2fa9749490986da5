import { BSON, MongoClient } from "mongodb";
import { afterAll, describe, expect, test } from "vitest";
import { describeArchive } from "../../session/testing";
import { freePort } from "../testing/redis-server";
import { type MongoArchiveDocument, type MongoCollection, mongoArchive } from "./mongo-archive";

const largestDocument = 16 * 1_024 * 1_024;

/** Keeps documents in the real format and size, but is no server. */
class FakeCollection implements MongoCollection {
  readonly #documents = new Map<string, Uint8Array>();

  get size(): number {
    return this.#documents.size;
  }

  async findOne({ _id = "" }: { _id?: string }) {
    return this.#read(_id);
  }

  async *find({ owner, kind }: Partial<MongoArchiveDocument>) {
    for (const id of [...this.#documents.keys()]) {
      const document = this.#read(id);
      if (document && document.owner === owner && document.kind === kind) yield document;
    }
  }

  async findOneAndReplace(
    { _id = "" }: { _id?: string },
    replacement: Omit<MongoArchiveDocument, "_id">,
  ) {
    const before = this.#read(_id);
    const bytes = BSON.serialize({ _id, ...replacement });
    if (bytes.length > largestDocument) throw new Error("The document is too large.");
    this.#documents.set(_id, bytes);
    return before;
  }

  async findOneAndDelete({ _id = "" }: { _id?: string }) {
    const before = this.#read(_id);
    this.#documents.delete(_id);
    return before;
  }

  #read(id: string): MongoArchiveDocument | null {
    const bytes = this.#documents.get(id);
    return bytes ? (BSON.deserialize(bytes) as MongoArchiveDocument) : null;
  }
}

const clients: MongoClient[] = [];
afterAll(async () => {
  for (const client of clients) await client.close();
});

function connect(url: string): MongoCollection {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  clients.push(client);
  return client.db("grove_test").collection<MongoArchiveDocument>("session_archive");
}

const makeBroken = async () => mongoArchive(connect(`mongodb://127.0.0.1:${await freePort()}`));
const fake = new FakeCollection();

describe("without a server", { tags: "long" }, () => {
  describeArchive("mongoArchive on a fake collection", (owner) => mongoArchive(fake, { owner }), {
    makeBroken,
    longest: 20_000_000,
  });
});

test("replacing and deleting a text leave no parts", { tags: "long" }, async () => {
  const collection = new FakeCollection();
  const archive = mongoArchive(collection);
  await archive.put("tea", "x".repeat(9_000_000));
  await archive.put("tea", "y".repeat(5_000_000));
  expect(collection.size).toBe(3);
  await archive.delete("tea");
  expect(collection.size).toBe(0);
});

const { MONGODB_URL } = process.env;

describe.skipIf(!MONGODB_URL)("with MONGODB_URL", () => {
  const collection = connect(MONGODB_URL ?? "mongodb://127.0.0.1");
  describeArchive("mongoArchive on a real MongoDB", (owner) => mongoArchive(collection, { owner }));
});
