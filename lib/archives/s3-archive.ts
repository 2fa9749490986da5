import { Bucket, type BucketSettings } from "../s3/bucket";
import { ArchiveFailedError, type SessionArchive } from "../session/internal";
import { archiveName } from "./archive-name";
import { archivedSessionId, decodeArchived } from "./archived-text";
import { namedFailures } from "./named-failures";

export interface S3ArchiveOptions extends BucketSettings {
  /** Prefix of object names, such as `archives/ada/`; one for each owner. Default: none. */
  readonly prefix?: string | undefined;
}

const objectsAtOnce = 1_000;
const defaultTimeoutMs = 60_000;

/**
 * One object of JSON lines for each session. Needs the package `s3mini`. An operation may take 60 s by default.
 * @throws {ArchiveFailedError} for an invalid endpoint.
 */
export function s3Archive({ prefix = "", ...settings }: S3ArchiveOptions): SessionArchive {
  const bucket = new Bucket({ timeoutMs: defaultTimeoutMs, ...settings }, ArchiveFailedError);
  const read = async (name: string) => (await bucket.read(name))?.bytes ?? null;
  return namedFailures(bucket.title, {
    put: (sessionId, text) =>
      bucket.write(prefix + archiveName(sessionId), text, { type: "application/x-ndjson" }),

    async get(sessionId) {
      const bytes = await read(prefix + archiveName(sessionId));
      return bytes && decodeArchived(bytes);
    },

    async *list() {
      let next: string | null | undefined;
      while (next !== null) {
        const page = await bucket.page(prefix, objectsAtOnce, next);
        for (const { name, size: bytes, updatedAt: archivedAt } of page.objects) {
          const sessionId = await archivedSessionId(name.slice(prefix.length), () => read(name));
          if (sessionId !== null) yield { sessionId, archivedAt, bytes };
        }
        next = page.next;
      }
    },

    delete: (sessionId) => bucket.delete(prefix + archiveName(sessionId)),
  });
}
