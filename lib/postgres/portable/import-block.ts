import { and, desc, eq, inArray, isNull, or } from "drizzle-orm";
import { type SessionRecordOf, storableText } from "../../session/internal";
import type { Sql } from "../connections/sql";
import { type Database, drizzleOn } from "../drizzle-on";
import { freeId, makeBlock, nextBlockMoment } from "../memory/documents";
import { chatBlock } from "../schema";

interface FoundBlock {
  readonly id: string;
  readonly label: string;
}

type BlockName = Pick<SessionRecordOf<"document">, "blockId" | "label">;

export class BlockImport {
  readonly #db: Database;
  readonly #owner: string;
  readonly #ids = new Map<string, string>();
  readonly #leftOut = new Map<string, string>();

  constructor(pool: Sql, owner: string) {
    this.#db = drizzleOn(pool);
    this.#owner = owner;
  }

  findShared({
    id,
    label,
    perSession = label === "todos",
  }: Pick<SessionRecordOf<"block">, "id" | "label" | "perSession">): Promise<FoundBlock | null> {
    const scope = perSession ? "session" : "owner";
    return this.#find({ id, label: storableText(label), scope }, [""]);
  }

  /** Documents of the record belong to no block. */
  leaveOut({ id, label }: SessionRecordOf<"block">): void {
    this.#leftOut.set(id ?? label, label);
  }

  leftOutLabel({ blockId, label }: BlockName): string | undefined {
    return this.#leftOut.get(blockId ?? label);
  }

  /** Keeps an existing block of its id or label. @returns its id, and whether it was made. */
  async take(
    record: SessionRecordOf<"block">,
    sessionId: string,
  ): Promise<{ blockId: string; isNew: boolean }> {
    const { id, perSession, label, description, kind, writers, maxTokens } = record;
    const isPerSession = perSession ?? (sessionId !== "" || label === "todos");
    const place = {
      ownerId: this.#owner,
      sessionId,
      label: storableText(label),
      scope: isPerSession ? "session" : "owner",
    } as const;
    const present = await this.#find({ id, label: place.label, scope: place.scope }, [sessionId]);
    const known =
      present?.id ??
      (await this.#insert(place, id, {
        description: storableText(description),
        kind: kind === "readonly" ? "writable" : kind,
        writers: kind === "readonly" ? "person" : writers,
        maxTokens,
        origin: record.origin ?? "person",
      }));
    this.#ids.set(keyOf(sessionId, id ?? label), known);
    return { blockId: known, isNew: present === null };
  }

  async idOf({ blockId: id, label }: BlockName, sessionId: string): Promise<string> {
    const name = id ?? label;
    const known = this.#ids.get(keyOf(sessionId, name)) ?? this.#ids.get(keyOf("", name));
    if (known !== undefined) return known;
    const scope = sessionId === "" ? "owner" : "session";
    const block = { id, label: storableText(label), scope } as const;
    let found = await this.#find(block, ["", sessionId]);
    if (found === null) {
      const place = { ownerId: this.#owner, sessionId, label: block.label };
      await makeBlock(this.#db, place, "writable");
      found = await this.#find(block, ["", sessionId]);
    }
    this.#ids.set(keyOf(sessionId, name), found?.id ?? name);
    return found?.id ?? name;
  }

  async #find(
    { id, label, scope }: { id: string | undefined; label: string; scope: "owner" | "session" },
    sessions: string[],
  ): Promise<FoundBlock | null> {
    const isLabel = and(eq(chatBlock.label, label), eq(chatBlock.scope, scope));
    const rows = await this.#db
      .select({ id: chatBlock.blockId, label: chatBlock.label })
      .from(chatBlock)
      .where(
        and(
          eq(chatBlock.ownerId, this.#owner),
          inArray(chatBlock.sessionId, sessions),
          isNull(chatBlock.deletedAt),
          id === undefined ? isLabel : or(isLabel, eq(chatBlock.blockId, id)),
        ),
      )
      .orderBy(desc(chatBlock.sessionId), chatBlock.blockId)
      .limit(2);
    return rows.find((row) => row.id === id) ?? rows[0] ?? null;
  }

  async #insert(
    place: Pick<typeof chatBlock.$inferInsert, "scope"> & Parameters<typeof freeId>[0],
    id: string | undefined,
    about: Pick<
      typeof chatBlock.$inferInsert,
      "description" | "kind" | "writers" | "maxTokens" | "origin"
    >,
  ): Promise<string> {
    const blockId = freeId({ ...place, label: id ?? place.label });
    const [row] = await this.#db
      .insert(chatBlock)
      .values({ ...place, ...about, blockId, moment: nextBlockMoment(place) })
      .returning({ id: chatBlock.blockId });
    return row?.id ?? place.label;
  }
}

function keyOf(sessionId: string, name: string): string {
  return JSON.stringify([sessionId, name]);
}
