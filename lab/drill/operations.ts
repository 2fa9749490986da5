import { isDeepStrictEqual } from "node:util";
import { Random } from "@/lab/bench/random";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { deletedPage, deleteSession, restoreDeletion } from "@/lib/chat/data/deletions";
import { Memory } from "@/lib/chat/memory/memory";
import type { DatabaseConnections } from "@/lib/server/database-connections";
import { ownerServices } from "@/lib/server/owner-services";
import { isSessionError, SessionEvents } from "@/lib/session/internal";
import { type Deletable, DeletionModel, type Operation, type Outcome } from "./deletion-model";
import type { Drill, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";

const ownerId = "drill";
const chats = 6;
const messagesPerChat = 12;
const sections = 4;
const entries = 6;
const concurrentShare = 0.3;
const checkEvery = 500;
const mostProblems = 20;

export const operations: Drill = {
  name: "operations",
  promise:
    "A delete or restore that was acknowledged holds, happens once however often it is requested, and changes nothing else.",
  unit: "operations",
  fullCount: 10_000,
  run: ({ count, seed, signal, say }) =>
    onDrillDatabase(async ({ connections }) => {
      const drill = await OperationsDrill.on(connections, seed);
      while (drill.done < count && !drill.isBroken && !signal.aborted) {
        const before = drill.done;
        await drill.step();
        if (Math.floor(drill.done / checkEvery) === Math.floor(before / checkEvery)) continue;
        await drill.compare();
        say(`${drill.done} operations.`);
      }
      await drill.compare();
      return drill.result;
    }),
};

type Place = Deletable & { readonly read: (owner: OwnerData) => Promise<unknown> };

class OperationsDrill {
  done = 0;
  readonly #random: Random;
  readonly #clients: readonly OwnerData[];
  readonly #skillsId: string;
  readonly #places: readonly Place[];
  /** As they were first stored, by id. */
  readonly #texts: ReadonlyMap<string, unknown>;
  readonly #broken: string[] = [];
  readonly #figures = { concurrent: 0, repeated: 0, refused: 0, comparisons: 0 };
  #model: DeletionModel;

  private constructor(
    clients: readonly OwnerData[],
    world: { skillsId: string; places: readonly Place[]; texts: ReadonlyMap<string, unknown> },
    seed: number,
  ) {
    this.#random = new Random(seed);
    this.#clients = clients;
    this.#skillsId = world.skillsId;
    this.#places = world.places;
    this.#texts = world.texts;
    this.#model = new DeletionModel(world.places);
  }

  static async on({ sql, chunkSql }: DatabaseConnections, seed: number): Promise<OperationsDrill> {
    const client = () =>
      ownerServices({ sql, chunkSql, ownerId, events: new SessionEvents(ownerId) });
    const first = client();
    return new OperationsDrill([first, client()], await makeWorld(first), seed);
  }

  get isBroken(): boolean {
    return this.#broken.length >= mostProblems;
  }

  get result(): DrillResult {
    return { broken: this.#broken, figures: this.#figures };
  }

  /** One operation, or two at once from both clients. */
  async step(): Promise<void> {
    const isConcurrent = this.#random.next() < concurrentShare;
    const chosen = isConcurrent ? this.#pair() : [this.#choose()];
    this.done += chosen.length;
    if (isConcurrent) this.#figures.concurrent += chosen.length;
    const outcomes = await Promise.all(chosen.map((each, n) => this.#request(each, n)));
    this.#figures.refused += outcomes.filter((outcome) => outcome === "refused").length;
    this.#believe(chosen, outcomes);
  }

  /** Reads everything and compares it with what was acknowledged. */
  async compare(): Promise<void> {
    this.#figures.comparisons++;
    const [owner] = this.#clients;
    if (!owner) return;
    for (const place of this.#places) {
      const text = await place.read(owner).catch(absent);
      const expected = this.#model.isShown(place) ? this.#texts.get(place.id) : null;
      if (!isDeepStrictEqual(text, expected)) {
        this.#broken.push(
          `${place.kind} ${place.id} reads ${JSON.stringify(text)} instead of ${JSON.stringify(expected)} after ${this.done} operations.`,
        );
      }
    }
    const { deletions } = await deletedPage(owner, { keptMs: 0 });
    const listed = deletions.map(({ id }) => id).sort();
    if (!isDeepStrictEqual(listed, this.#model.restorable))
      this.#broken.push(`The list shows ${listed} instead of ${this.#model.restorable}.`);
  }

  /** Takes the order of concurrent operations that explains both answers. */
  #believe(chosen: readonly Operation[], outcomes: readonly Outcome[]): void {
    const orders =
      chosen.length === 1
        ? [[0]]
        : [
            [0, 1],
            [1, 0],
          ];
    for (const order of orders) {
      const model = this.#model.copy();
      const explains = order.every((n) => {
        const operation = chosen[n];
        return operation && isDeepStrictEqual(model.apply(operation), outcomes[n]);
      });
      if (!explains) continue;
      this.#model = model;
      return;
    }
    const told = chosen.map(
      (each, n) => `${JSON.stringify(each)} → ${JSON.stringify(outcomes[n])}`,
    );
    this.#broken.push(`No order explains ${told.join(" with ")}.`);
  }

  #choose(): Operation {
    const known = this.#model.requests;
    const earlier = this.#pick(known);
    const kind = this.#random.next();
    if (earlier && kind < 0.2) {
      this.#figures.repeated++;
      return earlier;
    }
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

  /** Often about the same thing: the same request twice, two deletions of it, or a deletion and a restoration. */
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

  async #request(operation: Operation, client: number): Promise<Outcome> {
    const owner = this.#clients[client % this.#clients.length];
    if (!owner) throw new Error("There is no such client.");
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

/** Of a chat that is deleted. */
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
  await owner.store.sessions.create(`Title of ${chatId}`, { id: chatId, tags: ["drill"] });
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
