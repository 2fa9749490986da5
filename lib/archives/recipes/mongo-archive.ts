import type { SessionArchive } from "../../session/internal";
import { namedFailures } from "../named-failures";
import { type ArchiveHead, type PartKey, partedArchive } from "../parted-archive";

export interface MongoArchiveDocument {
  _id: string;
  owner: string;
  kind: "head" | "part";
  sessionId: string;
  version: string;
  parts?: number;
  bytes?: number;
  archivedAt?: Date;
  text?: string;
}

export type Filter = Partial<Pick<MongoArchiveDocument, "_id" | "owner" | "kind">>;

/** The used part of a collection of `mongodb`. */
export interface MongoCollection {
  findOne(filter: Filter): Promise<MongoArchiveDocument | null>;
  find(filter: Filter): AsyncIterable<MongoArchiveDocument>;
  findOneAndReplace(
    filter: Filter,
    replacement: Omit<MongoArchiveDocument, "_id">,
    options: { upsert: true; returnDocument: "before" },
  ): Promise<MongoArchiveDocument | null>;
  findOneAndDelete(filter: Filter): Promise<MongoArchiveDocument | null>;
}

export interface MongoArchiveOptions {
  /** Hides archives of other owners in the same collection. Default: none. */
  readonly owner?: string | undefined;
}

/** Keeps a document below its limit of 16 MB. */
const partLength = 4_000_000;
const upsert = { upsert: true, returnDocument: "before" } as const;

/** An index on `owner` and `kind` serves `list`. */
export function mongoArchive(
  collection: MongoCollection,
  { owner = "" }: MongoArchiveOptions = {},
): SessionArchive {
  const headId = (sessionId: string) => JSON.stringify([owner, sessionId]);
  const partId = ({ sessionId, version, index }: PartKey) =>
    JSON.stringify([owner, sessionId, version, index]);
  return namedFailures(
    "The archive in MongoDB",
    partedArchive(
      {
        async readHead(sessionId) {
          return headOf(await collection.findOne({ _id: headId(sessionId) }));
        },
        async replaceHead(head) {
          const replacement = { owner, kind: "head" as const, ...head };
          return headOf(
            await collection.findOneAndReplace(
              { _id: headId(head.sessionId) },
              replacement,
              upsert,
            ),
          );
        },
        async removeHead(sessionId) {
          return headOf(await collection.findOneAndDelete({ _id: headId(sessionId) }));
        },
        async *heads() {
          for await (const found of collection.find({ owner, kind: "head" })) {
            const head = headOf(found);
            if (head) yield head;
          }
        },
        async writePart(key, text) {
          const { sessionId, version } = key;
          const part = { owner, kind: "part" as const, sessionId, version, text };
          await collection.findOneAndReplace({ _id: partId(key) }, part, upsert);
        },
        async readPart(key) {
          return (await collection.findOne({ _id: partId(key) }))?.text ?? null;
        },
        async removePart(key) {
          await collection.findOneAndDelete({ _id: partId(key) });
        },
      },
      partLength,
    ),
  );
}

function headOf(found: MongoArchiveDocument | null): ArchiveHead | null {
  if (!found) return null;
  const { sessionId, version, parts = 0, bytes = 0, archivedAt = new Date(0) } = found;
  return { sessionId, version, parts, bytes, archivedAt };
}
