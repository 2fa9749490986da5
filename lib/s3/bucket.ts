import { type FileHandle, open } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { S3mini } from "s3mini";
import { bucketError, type FailureClass, isBeyondEnd, isMissing } from "./bucket-error";
import { decodeMetadata, encodeMetadata } from "./metadata-text";

export interface BucketSettings {
  /** Default: Amazon's for that region. */
  readonly endpoint?: string | undefined;
  /** Default `auto`, or `us-east-1` for Amazon. */
  readonly region?: string | undefined;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Deadline of one operation. Default 4,000 ms. */
  readonly timeoutMs?: number | undefined;
}

export interface BucketObject {
  readonly name: string;
  readonly size: number;
  readonly etag: string;
  readonly updatedAt: Date;
}

export interface BucketPage {
  readonly objects: BucketObject[];
  readonly next: string | null;
}

export interface ObjectPart {
  readonly bytes: Uint8Array;
  readonly description: string | null;
}

const descriptionHeader = "x-amz-meta-description";
const defaultTimeoutMs = 4_000;
/** Services take at most 10,000 parts, of at least 5 MiB but the last. */
const partBytes = 16 * 1_048_576;
const retryPausesMs = [500, 2_000];

/** Every failure is of the given class, and names the bucket and no secret. */
export class Bucket {
  readonly title: string;
  readonly #settings: BucketSettings & { readonly endpoint: string; readonly region: string };
  readonly #Failure: FailureClass;

  constructor(settings: BucketSettings, Failure: FailureClass) {
    this.#Failure = Failure;
    const { bucket, region = settings.endpoint ? "auto" : "us-east-1" } = settings;
    const endpoint = settings.endpoint ?? `https://s3.${region}.amazonaws.com`;
    const address = URL.canParse(endpoint) ? new URL(endpoint) : null;
    if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password) {
      throw new Failure("The endpoint of the bucket must be an http or https address.");
    }
    this.title = `Bucket “${bucket}” at ${address.host}`;
    this.#settings = { ...settings, region, endpoint: endpoint.replace(/\/+$/, "") };
  }

  /** @throws {Failure} when there are more than `limit`. */
  async list(prefix: string, limit: number): Promise<BucketObject[]> {
    const { objects } = await this.page(prefix, limit + 1);
    if (objects.length <= limit) return objects;
    throw new this.#Failure(
      `${this.title} holds more than ${limit.toLocaleString("en")} objects${prefix && ` under “${prefix}”`}.`,
    );
  }

  /** Up to `limit` objects by name, from where another page ended; `next` is `null` on the last one. */
  page(prefix: string, limit: number, from?: string): Promise<BucketPage> {
    return this.#within(async (client) => {
      const found = await client.listObjectsPaged("/", prefix, limit, from);
      if (!found) throw new this.#Failure(`${this.title} does not exist.`);
      const objects = (found.objects ?? []).map(({ Key, Size, ETag, LastModified }) => ({
        name: withoutNumericEntities(Key),
        size: Number(Size),
        etag: ETag,
        updatedAt: new Date(LastModified),
      }));
      return { objects, next: found.nextContinuationToken ?? null };
    });
  }

  /** `bytes` reads the beginning; `null` when missing. */
  read(name: string, bytes?: number): Promise<ObjectPart | null> {
    return this.#within(async (client, signal) => {
      try {
        const response = await client.getObjectRaw(name, bytes === undefined, 0, bytes);
        const description = descriptionOf(response);
        return { bytes: await bodyOf(response, { bytes, signal }), description };
      } catch (error) {
        if (isMissing(error)) return null;
        if (isBeyondEnd(error)) return { bytes: new Uint8Array(), description: null };
        throw error;
      }
    });
  }

  /** Writes whole or not at all. `type` is a media type. */
  async write(
    name: string,
    text: string,
    { type, description }: { readonly type: string; readonly description?: string | null },
  ): Promise<void> {
    await this.#within((client) =>
      client.putObject(name, text, `${type}; charset=utf-8`, undefined, {
        ...(description && { [descriptionHeader]: encodeMetadata(description) }),
      }),
    );
  }

  /** Sends a file in parts, each within the deadline and retried; whole or not at all. `type` is a media type. */
  async upload(
    name: string,
    path: string,
    { type, signal }: { readonly type: string; readonly signal?: AbortSignal | undefined },
  ): Promise<void> {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const uploadId = await this.#within((client) => client.getMultipartUploadId(name, type));
      try {
        const parts: { partNumber: number; etag: string }[] = [];
        for (let at = 0; at < size || parts.length === 0; at += partBytes) {
          signal?.throwIfAborted();
          const bytes = await bytesAt(file, at, Math.min(partBytes, size - at));
          const number = parts.length + 1;
          const send = (client: S3mini) => client.uploadPart(name, uploadId, bytes, number);
          parts.push(await this.#patiently(send, signal));
        }
        await this.#within((client) => client.completeMultipartUpload(name, uploadId, parts));
        await this.#assertSize(name, size);
      } catch (error) {
        // The failure above is the one to report.
        await this.#within((client) => client.abortMultipartUpload(name, uploadId)).catch(
          () => undefined,
        );
        throw error;
      }
    } finally {
      await file.close();
    }
  }

  /** A service may answer 200 to the end of an upload and fail after it. */
  async #assertSize(name: string, size: number): Promise<void> {
    const { objects } = await this.page(name, 1);
    const [stored] = objects.filter((object) => object.name === name);
    if (stored?.size !== size) throw new this.#Failure(`${this.title} did not keep ${name} whole.`);
  }

  /** Receives an object in parts into a new file; returns whether there is one. */
  async download(
    name: string,
    path: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<boolean> {
    const file = await open(path, "wx", 0o600);
    try {
      for (let at = 0; ; at += partBytes) {
        signal?.throwIfAborted();
        const bytes = await this.#patiently((client) => rangeOf(client, name, at), signal);
        if (!bytes) return false;
        await file.writeFile(bytes);
        // A server without ranges sends all at once.
        if (bytes.length !== partBytes) return true;
      }
    } finally {
      await file.close();
    }
  }

  async *chunks(name: string): AsyncGenerator<Uint8Array> {
    for (let at = 0; ; at += partBytes) {
      const bytes = await this.#patiently((client) => rangeOf(client, name, at), undefined);
      if (!bytes) throw new this.#Failure(`${this.title} no longer holds ${name}.`);
      yield bytes;
      if (bytes.length !== partBytes) return;
    }
  }

  delete(name: string): Promise<boolean> {
    return this.#within(async (client) => {
      const isThere = (await client.objectExists(name)) === true;
      if (isThere) await client.deleteObject(name);
      return isThere;
    });
  }

  async #patiently<Answer>(
    operation: (client: S3mini) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    for (const pauseMs of retryPausesMs) {
      try {
        return await this.#within(operation);
      } catch {
        await delay(pauseMs, undefined, { signal });
      }
    }
    return this.#within(operation);
  }

  async #within<Answer>(
    operation: (client: S3mini, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const { timeoutMs = defaultTimeoutMs } = this.#settings;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      return await operation(await this.#client(late.signal), late.signal);
    } catch (error) {
      throw bucketError(
        this.#Failure,
        this.title,
        late.signal.aborted
          ? new this.#Failure(`${this.title} did not answer within ${timeoutMs / 1_000} s.`)
          : error,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async #client(signal: AbortSignal): Promise<S3mini> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.#settings;
    const { S3mini } = await import("s3mini");
    return new S3mini({
      endpoint: `${endpoint}/${encodeURIComponent(bucket)}`,
      region,
      accessKeyId,
      secretAccessKey,
      // A redirect would carry the signed request to another address.
      fetch: (url, init) => fetch(url, { ...init, signal, redirect: "manual", cache: "no-store" }),
    });
  }
}

async function rangeOf(client: S3mini, name: string, at: number): Promise<Buffer | null> {
  try {
    const { body } = await client.getObjectRaw(name, false, at, at + partBytes);
    return body ? await buffer(body) : Buffer.alloc(0);
  } catch (error) {
    if (isMissing(error)) return null;
    if (isBeyondEnd(error)) return Buffer.alloc(0);
    throw error;
  }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new Error("The file became shorter while it was sent.");
  return bytes;
}

/** Some services escape characters as `&#34;`, which the client does not decode. */
function withoutNumericEntities(name: string): string {
  return name.replace(
    /&#(?:(\d{1,7})|x([\da-f]{1,6}));/gi,
    (entity, decimal?: string, hex?: string) => {
      const point = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
    },
  );
}

function descriptionOf({ headers }: Response): string | null {
  const value = headers.get(descriptionHeader);
  return (value && decodeMetadata(value)) || null;
}

async function bodyOf(
  { body }: Response,
  { bytes, signal }: { bytes: number | undefined; signal: AbortSignal },
): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  if (bytes === undefined) return buffer(body);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    signal.throwIfAborted();
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}
