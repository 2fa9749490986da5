import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Credentials, verifySignature } from "./verify-signature";

export interface StoredObject {
  readonly bytes: Buffer;
  readonly metadata: Record<string, string>;
  readonly updatedAt: Date;
}

const longAgo = new Date("2026-03-01T10:00:00.000Z");

/** An S3-compatible service with one bucket, over real HTTP. Like the original it lists at most 1,000 names at once. */
export class S3Server {
  readonly objects = new Map<string, StoredObject>();
  readonly requests: string[] = [];
  /** Parts by upload, which its end or the object's completion removes. */
  readonly uploads = new Map<string, Buffer[]>();
  /**
   * `never` accepts requests and answers none; `stall` sends half of an object and no more; `unstable` refuses every
   * second part; `forgetful` answers 200 to the end of an upload and stores nothing, as Amazon may; `no-deletes`
   * refuses.
   */
  behaviour:
    | "normal"
    | "never"
    | "stall"
    | "no-ranges"
    | "broken"
    | "redirect"
    | "unstable"
    | "forgetful"
    | "no-deletes" = "normal";
  #parts = 0;
  readonly #server: Server;

  private constructor(
    readonly bucket: string,
    readonly credentials: Credentials,
  ) {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(bucket = "notes", credentials = testCredentials): Promise<S3Server> {
    const made = new S3Server(bucket, credentials);
    await new Promise<void>((done) => made.#server.listen(0, "127.0.0.1", done));
    return made;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  put(name: string, content: string | Uint8Array, metadata: Record<string, string> = {}): void {
    this.objects.set(name, { bytes: Buffer.from(content), metadata, updatedAt: longAgo });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = "", url = "" } = request;
    this.requests.push(`${method} ${url}`);
    if (this.behaviour === "never") return;
    if (this.behaviour === "broken") {
      fail(response, 500, "InternalError");
      return;
    }
    if (this.behaviour === "redirect") {
      response.writeHead(301, { location: "http://elsewhere.invalid/" }).end();
      return;
    }
    if (this.behaviour === "no-deletes" && method === "DELETE") {
      fail(response, 403, "AccessDenied");
      return;
    }
    const isPart = url.includes("partNumber") || request.headers.range !== undefined;
    if (this.behaviour === "unstable" && isPart && ++this.#parts % 2 === 1) {
      fail(response, 503, "SlowDown");
      return;
    }
    const verdict = verifySignature(request, body, this.credentials);
    if (verdict !== "ok") {
      fail(response, 403, verdict);
      return;
    }
    const { pathname, searchParams } = new URL(url, this.endpoint);
    const [, bucket = "", name = ""] = /^\/([^/]*)\/?(.*)$/s.exec(pathname) ?? [];
    if (decodeURIComponent(bucket) !== this.bucket) {
      fail(response, 404, "NoSuchBucket");
      return;
    }
    if (searchParams.get("list-type") === "2") this.#list(searchParams, response);
    else if (searchParams.has("uploads") || searchParams.has("uploadId"))
      this.#upload(decodeURIComponent(name), { request, response, body, query: searchParams });
    else this.#object(decodeURIComponent(name), { request, response, body });
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const after = Buffer.from(query.get("continuation-token") ?? "", "base64").toString();
    const names = [...this.objects.keys()]
      .filter((name) => name.startsWith(query.get("prefix") ?? "") && name > after)
      .sort();
    const page = names.slice(0, Math.min(1_000, Number(query.get("max-keys") ?? 1_000)));
    const last = page.at(-1);
    const rest =
      last !== undefined && page.length < names.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${Buffer.from(last).toString("base64")}</NextContinuationToken>`
        : "<IsTruncated>false</IsTruncated>";
    const contents = page.map((name) => {
      const { bytes = Buffer.alloc(0), updatedAt = longAgo } = this.objects.get(name) ?? {};
      return `<Contents><Key>${escaped(name)}</Key><LastModified>${updatedAt.toISOString()}</LastModified><ETag>&quot;${etagOf(bytes)}&quot;</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
    });
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(
        `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${this.bucket}</Name><KeyCount>${page.length}</KeyCount>${rest}${contents.join("")}</ListBucketResult>`,
      );
  }

  #upload(
    name: string,
    {
      request,
      response,
      body,
      query,
    }: {
      request: IncomingMessage;
      response: ServerResponse;
      body: Buffer;
      query: URLSearchParams;
    },
  ): void {
    const id = query.get("uploadId") ?? `upload-${this.requests.length}`;
    const parts = this.uploads.get(id) ?? [];
    if (query.has("uploads")) {
      this.uploads.set(id, []);
      response.end(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    } else if (!this.uploads.has(id)) fail(response, 404, "NoSuchUpload");
    else if (request.method === "PUT") {
      parts[Number(query.get("partNumber")) - 1] = body;
      response.writeHead(200, { etag: `"${etagOf(body)}"` }).end();
    } else {
      this.uploads.delete(id);
      if (request.method === "POST" && this.behaviour === "forgetful") {
        response.end("<Error><Code>InternalError</Code></Error>");
        return;
      }
      if (request.method === "POST") {
        this.objects.set(name, {
          bytes: Buffer.concat(parts),
          metadata: {},
          updatedAt: new Date(),
        });
      }
      response.end(
        `<CompleteMultipartUploadResult><ETag>"${etagOf(body)}"</ETag></CompleteMultipartUploadResult>`,
      );
    }
  }

  #object(
    name: string,
    {
      request,
      response,
      body,
    }: { request: IncomingMessage; response: ServerResponse; body: Buffer },
  ): void {
    if (request.method === "PUT") {
      const metadata = Object.entries(request.headers).filter(([key]) =>
        key.startsWith("x-amz-meta-"),
      );
      this.objects.set(name, {
        bytes: body,
        metadata: Object.fromEntries(metadata) as Record<string, string>,
        updatedAt: new Date(),
      });
      response.writeHead(200, { etag: `"${etagOf(body)}"` }).end();
      return;
    }
    const stored = this.objects.get(name);
    if (!stored) {
      fail(response, 404, "NoSuchKey");
      return;
    }
    if (request.method === "DELETE") {
      this.objects.delete(name);
      response.writeHead(204).end();
      return;
    }
    const headers = { ...stored.metadata, etag: `"${etagOf(stored.bytes)}"` };
    const range = this.behaviour === "no-ranges" ? undefined : request.headers.range;
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    if (from !== undefined && Number(from) >= stored.bytes.length) {
      fail(response, 416, "InvalidRange");
      return;
    }
    const bytes = stored.bytes.subarray(Number(from ?? 0), to ? Number(to) + 1 : undefined);
    response.writeHead(from === undefined ? 200 : 206, {
      ...headers,
      "content-length": bytes.length,
    });
    if (request.method === "HEAD") response.end();
    else if (this.behaviour === "stall") response.write(bytes.subarray(0, bytes.length / 2));
    else response.end(bytes);
  }
}

export const testCredentials: Credentials = {
  accessKeyId: "AKIDGROVETEST",
  secretAccessKey: "secret/of+the+test",
};

function fail(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>The request failed.</Message><AWSAccessKeyId>AKIDGROVETEST</AWSAccessKeyId></Error>`,
    );
}

function etagOf(bytes: Buffer): string {
  return createHash("md5").update(bytes).digest("hex");
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
