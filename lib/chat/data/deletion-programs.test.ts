import { isDeepStrictEqual } from "node:util";
import { isSessionError } from "grove-session";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { Memory } from "@/lib/chat/memory/memory";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { Random } from "@/lib/text/testing/random";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import { deletedPage, deleteSession, restoreDeletion } from "./deletions";
import {
  type Deletable,
  DeletionModel,
  type Operation,
  type Outcome,
} from "./testing/deletion-model";

const chats = 6;
const messagesPerChat = 12;
const sections = 4;
const entries = 6;
const concurrentShare = 0.3;
const operations = 60;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test(
  "a delete or restore holds, happens once however often it is requested, and changes nothing else",
  { tags: "long" },
  () =>
    trySeeds(1, async (random) => {
      const ownerId = crypto.randomUUID();
      const clients = [newOwner(database.sql, ownerId), newOwner(database.sql, ownerId)] as const;
      const program = new DeletionProgram(clients, await makeWorld(clients[0]), random);
      for (let n = 0; n < operations; n++) await program.step();
      await program.compare();
      await clients[0].data.deleteAll();
    }),
);

type Place = Deletable & { readonly read: (owner: OwnerData) => Promise<unknown> };

class DeletionProgram {
  readonly #random: Random;
  readonly #clients: readonly [OwnerData, OwnerData];
  readonly #skillsId: string;
  readonly #places: readonly Place[];
  /** Texts as they were first stored, by id. */
  readonly #texts: ReadonlyMap<string, unknown>;
  #model: DeletionModel;

  constructor(
    clients: readonly [OwnerData, OwnerData],
    world: { skillsId: string; places: readonly Place[]; texts: ReadonlyMap<string, unknown> },
    random: Random,
  ) {
    this.#random = random;
    this.#clients = clients;
    this.#skillsId = world.skillsId;
    this.#places = world.places;
    this.#texts = world.texts;
    this.#model = new DeletionModel(world.places);
  }

  /** One operation, or two at once from both clients. */
  async step(): Promise<void> {
    const isConcurrent = this.#random.next() < concurrentShare;
    const chosen = isConcurrent ? this.#pair() : [this.#choose()];
    const [first, second] = this.#clients;
    const outcomes = await Promise.all(
      chosen.map((each, n) => this.#request(each, n === 0 ? first : second)),
    );
    this.#believe(chosen, outcomes);
  }

  /** Reads everything and compares it with what was acknowledged. */
  async compare(): Promise<void> {
    const [owner] = this.#clients;
    for (const place of this.#places) {
      const expected = this.#model.isShown(place) ? this.#texts.get(place.id) : null;
      expect([place.id, await place.read(owner).catch(absent)]).toEqual([place.id, expected]);
    }
    const { deletions } = await deletedPage(owner, { keptMs: 0 });
    expect(deletions.map(({ id }) => id).sort()).toEqual(this.#model.restorable);
  }

  /** Takes the order of concurrent operations that explains both answers. */
  #believe(chosen: readonly Operation[], outcomes: readonly Outcome[]): void {
    const inOrder = chosen.map((operation, n) => ({ operation, outcome: outcomes[n] }));
    const models = [inOrder, inOrder.toReversed()].map((order) => {
      const model = this.#model.copy();
      const explains = order.every(({ operation, outcome }) =>
        isDeepStrictEqual(model.apply(operation), outcome),
      );
      return explains ? model : null;
    });
    const explaining = models.find((model) => model !== null);
    if (!explaining) throw new Error(`No order explains ${JSON.stringify(inOrder)}.`);
    this.#model = explaining;
  }

  #choose(): Operation {
    const known = this.#model.requests;
    const earlier = this.#pick(known);
    const kind = this.#random.next();
    if (earlier && kind < 0.2) return earlier;
    if (earlier && kind < 0.6) {
      // Mostly what is in force, so that not everything ends up deleted.
      const open = this.#pick(this.#model.restorable);
      const deletionId = this.#random.next() < 0.8 && open ? open : earlier.deletionId;
      return { type: "restore", deletionId };
    }
    const first = this.#pick(this.#places);
    if (!first) throw new Error("There is nothing to delete.");
    const beside = first.kind === "message" ? this.#besides(first) : [];
    return {
      type: "delete",
      deletionId: crypto.randomUUID(),
      targets: [...new Set([first.id, ...beside])].sort(),
    };
  }

  /**
   * Pairs are often about the same thing: the same request twice, two deletions of it, or a deletion and a restoration.
   */
  #pair(): Operation[] {
    const one = this.#choose();
    const kind = this.#random.next();
    if (kind < 0.3) return [one, one];
    if (kind < 0.7 && one.type === "delete")
      return [one, { ...one, deletionId: crypto.randomUUID() }];
    return [one, this.#choose()];
  }

  #besides({ chatId }: Deletable): string[] {
    const others = this.#places.filter((each) => each.chatId === chatId);
    return Array.from({ length: this.#random.below(4) }, () => this.#pick(others)?.id ?? []).flat();
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#random.below(items.length)];
  }

  async #request(operation: Operation, owner: OwnerData): Promise<Outcome> {
    try {
      if (operation.type === "delete") return await this.#delete(owner, operation);
      await restoreDeletion(owner, operation.deletionId);
      return "restored";
    } catch (error) {
      if (isRefusal(error)) return "refused";
      throw error;
    }
  }

  async #delete(
    owner: OwnerData,
    { deletionId, targets }: Extract<Operation, { type: "delete" }>,
  ): Promise<Outcome> {
    const place = this.#places.find(({ id }) => id === targets[0]);
    if (!place) throw new Error(`${targets[0]} was never made.`);
    const memory = new Memory(owner, null);
    if (place.kind === "message") {
      const asked = { ids: [...targets], subtree: false, deletionId };
      const made = await deleteMessages(owner, place.chatId ?? "", asked);
      return { deletionId: made.deletionId, removed: made.messageIds.toSorted() };
    }
    const made =
      place.kind === "chat"
        ? await deleteSession(owner, place.id, deletionId)
        : place.kind === "section"
          ? await memory.delete(place.id, deletionId)
          : await memory.removeEntry(this.#skillsId, place.id, { deletionId });
    return { deletionId: made.deletionId, removed: [place.id] };
  }
}

/** Recognizes a refusal for a chat that is deleted. */
function isRefusal(error: unknown): boolean {
  return isSessionError(error) && error.code === "session-not-found";
}

function absent(error: unknown): null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "session-not-found" || code === "block-not-found" || code === "entry-not-found")
    return null;
  throw error;
}

async function makeWorld(owner: OwnerData) {
  const memory = new Memory(owner, null);
  const skillsId = (await memory.list()).find(({ label }) => label === "skills")?.id ?? "";
  const places: Place[] = [];
  for (let n = 0; n < chats; n++) places.push(...(await makeChat(owner, `chat-${n}`)));
  for (let n = 0; n < sections; n++) places.push(await makeSection(memory, n));
  for (let n = 0; n < entries; n++) places.push(await makeEntry(memory, skillsId, n));
  const texts = new Map<string, unknown>();
  for (const place of places) texts.set(place.id, await place.read(owner));
  return { skillsId, places, texts };
}

/** A tree: every third message has a sibling. */
async function makeChat(owner: OwnerData, chatId: string): Promise<Place[]> {
  await owner.store.sessions.create(`Title of ${chatId}`, { id: chatId, tags: ["test"] });
  const messages = owner.store.messages(chatId);
  const ids = Array.from({ length: messagesPerChat }, (_, n) => `${chatId}-${n}`);
  for (const [n, id] of ids.entries()) {
    const parentId = ids[n - (n % 3 === 2 ? 2 : 1)] ?? null;
    const parts = [{ type: "text", text: ` Line ${n}\r\n\t“${id}” 🌳 e\u0301 ` }];
    await messages.appendMessage({ id, role: n % 2 === 0 ? "user" : "assistant", parts }, parentId);
  }
  const chat: Place = {
    id: chatId,
    kind: "chat",
    chatId: null,
    read: async ({ store }) => {
      const info = await store.sessions.get(chatId);
      return info && { name: info.name, tags: info.tags, createdAt: info.createdAt };
    },
  };
  const read = (id: string) => async (asked: OwnerData) =>
    (await asked.store.sessions.get(chatId)) && asked.store.messages(chatId).getMessage(id);
  return [chat, ...ids.map((id): Place => ({ id, kind: "message", chatId, read: read(id) }))];
}

async function makeSection(memory: Memory, n: number): Promise<Place> {
  const { id } = await memory.create({
    label: `section-${n}`,
    description: `Section ${n}`,
    kind: "writable",
    scope: "owner",
    writers: "both",
    maxTokens: 1_000,
  });
  await memory.write(id, { content: `Text\r\n of  section ${n} ` });
  const read = (owner: OwnerData) => new Memory(owner, null).read(id);
  return { id, kind: "section", chatId: null, read };
}

/** A skill with a file. */
async function makeEntry(memory: Memory, skillsId: string, n: number): Promise<Place> {
  const title = `Skill ${n}`;
  const { key } = await memory.addEntry(skillsId, {
    title,
    description: `For ${n}`,
    content: ` Do ${n}\r\n`,
  });
  await memory.writeEntry(skillsId, `${key}/file.md`, { title: "File", content: `File of ${n} ` });
  const read = async (owner: OwnerData) => {
    const asked = new Memory(owner, null);
    const both = [await asked.entry(skillsId, key), await asked.entry(skillsId, `${key}/file.md`)];
    return both.map(({ title, description, content }) => ({ title, description, content }));
  };
  return { id: key, kind: "entry", chatId: null, read };
}
