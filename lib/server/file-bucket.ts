import { ChatError } from "@/lib/chat/core/chat-error";
import type { ObjectPlace } from "@/lib/postgres/internal";
import { Bucket, type BucketObject } from "@/lib/s3/bucket";

export interface FileBucket extends ObjectPlace {
  names(): AsyncIterable<string[]>;
  removeUnknown(unknown: (names: readonly string[]) => Promise<string[]>): Promise<void>;
}

class FileUnavailableError extends ChatError {
  constructor(message: string, options?: ErrorOptions) {
    super("file-unavailable", message, options);
  }
}

/** For a request that moves at most 16 MB. */
const timeoutMs = 30_000;
const objectsAtOnce = 1_000;
const dayMs = 24 * 60 * 60 * 1_000;

export function readFileBucket(
  environment: Readonly<Record<string, string | undefined>>,
): FileBucket | null {
  const set = (name: string) => environment[`GROVE_FILES_S3_${name}`]?.trim() || undefined;
  const name = set("BUCKET");
  if (!name) return null;
  const required = (each: string) => {
    const value = set(each);
    if (!value) throw new Error(`GROVE_FILES_S3_${each} is not set.`);
    return value;
  };
  const prefix = set("PREFIX") ?? "";
  const bucket = new Bucket(
    {
      bucket: name,
      endpoint: set("ENDPOINT"),
      region: set("REGION"),
      accessKeyId: required("ACCESS_KEY_ID"),
      secretAccessKey: required("SECRET_ACCESS_KEY"),
      timeoutMs,
    },
    FileUnavailableError,
  );
  return {
    upload: (object, path, options) => bucket.upload(prefix + object, path, options),
    chunks: (object) => bucket.chunks(prefix + object),
    async *names() {
      for await (const objects of pagesOf(bucket, prefix)) {
        yield objects.map(({ name: object }) => object.slice(prefix.length));
      }
    },
    async removeUnknown(unknown) {
      for await (const objects of pagesOf(bucket, prefix)) {
        const old = objects.filter(({ updatedAt }) => updatedAt.getTime() < Date.now() - dayMs);
        const names = old.map((object) => object.name.slice(prefix.length));
        for (const gone of await unknown(names)) await bucket.delete(prefix + gone);
      }
    },
  };
}

async function* pagesOf(bucket: Bucket, prefix: string): AsyncGenerator<readonly BucketObject[]> {
  let next: string | null | undefined;
  while (next !== null) {
    const page = await bucket.page(`${prefix}files/`, objectsAtOnce, next);
    yield page.objects;
    next = page.next;
  }
}
