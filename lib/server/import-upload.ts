import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { PersonId, SpaceId } from "@/lib/chat/core/person-in-space";
import type { ImportReportWire } from "@/lib/chat/wire/data";
import { programArguments } from "@/lib/files/run-reader";
import { within } from "./file-transfer";
import { HttpError } from "./http-error";

export interface ImportUploadOptions {
  readonly personId?: PersonId;
  readonly spaceId: SpaceId;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly limits?: UploadLimits;
  /** The first line is the person's `importChoices`, not the file's. */
  readonly hasChoices?: boolean;
}

interface UploadLimits {
  readonly bytes: number;
  readonly idleMs: number;
}

const defaultLimits: UploadLimits = { bytes: 4_000_000_000, idleMs: 60_000 };

/** A line of 32 MB takes about 700 MB. */
const heapMegabytes = 1_500;

const longestImportMs = 24 * 60 * 60 * 1_000;

const importing = new Set<string>();

/**
 * A process of its own: a slow sender holds no lock and no connection, and a huge line takes neither time nor memory of
 * the server. One runs at a time for each owner. @throws {HttpError} 400, 408 when nothing arrives for a minute, 413.
 * @throws {ChatError} `invalid-import`, `import-running`.
 */
export async function importUpload(
  body: ReadableStream<Uint8Array> | null,
  options: ImportUploadOptions,
): Promise<ImportReportWire> {
  const { spaceId, dataDir } = options;
  const uploads = resolve(dataDir, "uploads");
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(uploads, "import-"));
  try {
    const file = join(folder, "upload.jsonl");
    await writeUpload(file, body, options);
    if (importing.has(spaceId)) {
      const message = "Another file is being imported. Wait until it is done.";
      throw new ChatError("import-running", message);
    }
    importing.add(spaceId);
    try {
      return await importFile(file, options);
    } finally {
      importing.delete(spaceId);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function removeLeftUploads(dataDir: string): Promise<void> {
  const uploads = resolve(dataDir, "uploads");
  if (!existsSync(uploads)) return;
  for (const name of await readdir(uploads)) {
    const folder = join(uploads, name);
    const { mtimeMs } = await stat(folder);
    if (mtimeMs < Date.now() - longestImportMs) await rm(folder, { recursive: true, force: true });
  }
}

async function writeUpload(
  path: string,
  body: ReadableStream<Uint8Array> | null,
  { signal, limits = defaultLimits }: ImportUploadOptions,
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  const reader = body?.getReader();
  let bytes = 0;
  try {
    while (reader) {
      signal.throwIfAborted();
      const { done, value } = await within(reader.read(), limits.idleMs);
      if (done) return;
      bytes += value.byteLength;
      if (bytes > limits.bytes)
        throw new HttpError(413, "too-large", "The file is larger than 4 GB.");
      await file.writeFile(value);
    }
  } finally {
    // The sender may be gone already.
    reader?.cancel().catch(() => undefined);
    await file.close();
  }
}

export type UploadOutcome =
  | { readonly report: ImportReportWire }
  | {
      readonly refusal: {
        readonly status: number | null;
        readonly code: string;
        readonly message: string;
        readonly field?: string | undefined;
      };
    };

const outcomeSchema = z.union([
  z.object({ report: z.custom<ImportReportWire>((value) => typeof value === "object") }),
  z.object({
    refusal: z.object({
      status: z.number().nullable(),
      code: z.string(),
      message: z.string(),
      field: z.string().optional(),
    }),
  }),
]);

async function importFile(
  file: string,
  { personId, spaceId, databaseUrl, hasChoices = false }: ImportUploadOptions,
): Promise<ImportReportWire> {
  const script = programArguments("lib/server/import-process");
  const flags = [`--max-old-space-size=${heapMegabytes}`, ...script];
  const child = spawn(process.execPath, [...flags, file], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      GROVE_IMPORT_OWNER: spaceId,
      ...(personId !== undefined && { GROVE_IMPORT_PERSON: personId }),
      GROVE_IMPORT_CHOICES: hasChoices ? "first" : "",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((done, fail) => child.once("error", fail).once("close", done));
  const [said] = await Promise.all([text(child.stdout), ended]);
  const line = said.trim().split("\n").at(-1) ?? "";
  if (line === "") {
    const message =
      "The import ended early, perhaps for want of memory. What it had imported stays; import the file again.";
    throw new HttpError(500, "import-ended", message);
  }
  const outcome = outcomeSchema.parse(JSON.parse(line));
  if ("report" in outcome) return outcome.report;
  const { status, code, message, field } = outcome.refusal;
  if (status !== null) throw new HttpError(status, code, message, field);
  throw new ChatError("invalid-import", message, { field });
}
