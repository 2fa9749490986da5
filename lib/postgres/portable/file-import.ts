import { createHash } from "node:crypto";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FilePage, type PostgresFiles, StorageFullError } from "../files/postgres-files";
import { ImportError } from "./import-error";
import type { PortableOf } from "./records";

interface ArrivingFile {
  readonly record: PortableOf<"file">;
  readonly folder: string;
  readonly pages: FilePage[];
}

/** The file stays on disk until it is complete and its hash is right. */
export class FileImport {
  readonly #files: PostgresFiles;
  #arriving: ArrivingFile | null = null;
  #hash = createHash("sha256");
  #size = 0;

  constructor(files: PostgresFiles) {
    this.#files = files;
  }

  async begin(record: PortableOf<"file">): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "grove-import-"));
    this.#arriving = { record, folder, pages: [] };
    this.#hash = createHash("sha256");
    this.#size = 0;
  }

  async chunk({ bytes }: PortableOf<"file-chunk">): Promise<void> {
    const { folder } = this.#current();
    const chunk = Buffer.from(bytes, "base64");
    this.#hash.update(chunk);
    this.#size += chunk.length;
    await appendFile(join(folder, "bytes"), chunk);
  }

  page({ page, title, text }: PortableOf<"file-page">): void {
    this.#current().pages.push({ page, title, text });
  }

  /** @throws {ImportError} for missing, other or too many bytes. */
  async flush(): Promise<void> {
    const arriving = this.#arriving;
    if (!arriving) return;
    const { record, folder, pages } = arriving;
    const { type: _, facts, ...file } = record;
    try {
      if (this.#size !== file.size || this.#hash.digest("hex") !== file.sha256)
        throw new ImportError("A file is incomplete, so it was left out.", "sha256");
      await this.#files.add(file, {
        path: join(folder, "bytes"),
        content: () => ({ facts, pages }),
      });
    } catch (error) {
      throw error instanceof StorageFullError ? new ImportError(error.message, "size") : error;
    } finally {
      await this.forget();
    }
  }

  async forget(): Promise<void> {
    const arriving = this.#arriving;
    this.#arriving = null;
    if (arriving) await rm(arriving.folder, { recursive: true, force: true });
  }

  #current(): ArrivingFile {
    if (!this.#arriving)
      throw new ImportError("Bytes must follow the record of their file.", "type");
    return this.#arriving;
  }
}
