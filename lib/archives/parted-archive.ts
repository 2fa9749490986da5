import { type ArchivedSession, ExportDamagedError, type SessionArchive } from "../session/internal";

export interface ArchiveHead extends ArchivedSession {
  /** Unique for this text, so that its parts are never mixed with those of another. */
  readonly version: string;
  readonly parts: number;
}

export interface PartKey {
  readonly sessionId: string;
  readonly version: string;
  readonly index: number;
}

/** Storage whose entries have a limited size. Each call is atomic and seen by later ones. */
export interface PartStore {
  readHead(sessionId: string): Promise<ArchiveHead | null>;
  replaceHead(head: ArchiveHead): Promise<ArchiveHead | null>;
  removeHead(sessionId: string): Promise<ArchiveHead | null>;
  heads(): AsyncIterable<ArchiveHead>;
  writePart(key: PartKey, text: string): Promise<void>;
  readPart(key: PartKey): Promise<string | null>;
  removePart(key: PartKey): Promise<void>;
}

/**
 * An archive of texts of any size. The head is written last and its old parts removed after, so that a text is seen
 * whole or not at all. @param partLength in UTF-16 units, each of which takes at most 3 bytes.
 */
export function partedArchive(store: PartStore, partLength: number): SessionArchive {
  const removeParts = async (head: ArchiveHead | null): Promise<void> => {
    if (head) for (const key of keysOf(head)) await store.removePart(key);
  };
  return {
    async put(sessionId, text) {
      const parts = partsOf(text, partLength);
      const head = {
        sessionId,
        version: crypto.randomUUID(),
        parts: parts.length,
        archivedAt: new Date(),
        bytes: new TextEncoder().encode(text).byteLength,
      };
      try {
        for (const key of keysOf(head)) await store.writePart(key, parts[key.index] ?? "");
      } catch (error) {
        await removeParts(head).catch(() => {
          // Storage that is down keeps the parts; no reader sees them.
        });
        throw error;
      }
      // A failure is not undone: the head may have been stored all the same.
      await removeParts(await store.replaceHead(head));
    },

    async get(sessionId) {
      let head = await store.readHead(sessionId);
      while (head) {
        const text = await textOf(store, head);
        if (text !== null) return text;
        const next = await store.readHead(sessionId);
        if (next?.version === head.version) throw new ExportDamagedError("parts of it are missing");
        head = next;
      }
      return null;
    },

    list: () => store.heads(),

    async delete(sessionId) {
      const removed = await store.removeHead(sessionId);
      await removeParts(removed);
      return removed !== null;
    },
  };
}

/** `null` when a part is missing, as during a replacement. */
async function textOf(store: PartStore, head: ArchiveHead): Promise<string | null> {
  const texts: string[] = [];
  for (const key of keysOf(head)) {
    const text = await store.readPart(key);
    if (text === null) return null;
    texts.push(text);
  }
  return texts.join("");
}

function keysOf({ sessionId, version, parts }: ArchiveHead): PartKey[] {
  return Array.from({ length: parts }, (_, index) => ({ sessionId, version, index }));
}

function partsOf(text: string, partLength: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + partLength);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
