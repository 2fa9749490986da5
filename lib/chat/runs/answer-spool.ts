import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { UIMessageChunk } from "ai";
import { z } from "zod";
import { asSpace, type SpaceId } from "@/lib/chat/core/person-in-space";

export interface RunAddress {
  readonly ownerId: SpaceId;
  readonly runId: string;
}

interface RunPart extends RunAddress {
  readonly part: number;
}

const lineSchema = z.object({
  ownerId: z.string().transform(asSpace),
  runId: z.string(),
  /** Absent in lines of version 0.2. */
  part: z.int().min(0).optional(),
  from: z.int().min(0),
  chunks: z.array(z.looseObject({ type: z.string() })),
});

type Line = z.output<typeof lineSchema>;

const extension = ".jsonl";

export class AnswerSpool {
  readonly #folder: string;
  readonly #onFailure: (error: unknown) => void;
  readonly #addresses = new Map<string, RunAddress>();
  #isFailing = false;

  constructor(folder: string, onFailure: (error: unknown) => void) {
    this.#folder = folder;
    this.#onFailure = onFailure;
  }

  /** `from` numbers the first chunk. @returns true once they are on the disk. */
  async append(
    run: RunPart,
    { from, chunks }: { from: number; chunks: readonly UIMessageChunk[] },
  ): Promise<boolean> {
    try {
      const { ownerId, runId, part } = run;
      await this.#write(run, { ownerId, runId, part, from, chunks });
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing) this.#onFailure(error);
      this.#isFailing = true;
      return false;
    }
  }

  async read(run: RunPart): Promise<UIMessageChunk[]> {
    const chunks: UIMessageChunk[] = [];
    for (const line of linesOf(await textAt(this.#path(run)))) {
      if (line.part !== undefined && line.part !== run.part) continue;
      if (line.from > chunks.length) break;
      chunks.push(...(line.chunks.slice(chunks.length - line.from) as unknown as UIMessageChunk[]));
    }
    return chunks;
  }

  async runs(): Promise<RunAddress[]> {
    const names = await readdir(this.#folder).catch(unlessMissing<string[]>([]));
    const files = names.filter((name) => name.endsWith(extension));
    const addresses = await Promise.all(files.map((name) => this.#addressIn(name)));
    return addresses.filter((address) => address !== null);
  }

  async #addressIn(name: string): Promise<RunAddress | null> {
    const known = this.#addresses.get(name);
    if (known) return known;
    const [line] = linesOf(await textAt(join(this.#folder, name)));
    if (!line) return null;
    const address = { ownerId: line.ownerId, runId: line.runId };
    this.#addresses.set(name, address);
    return address;
  }

  async remove(run: RunAddress): Promise<void> {
    const path = this.#path(run);
    this.#addresses.delete(basename(path));
    await rm(path, { force: true }).catch(this.#onFailure);
  }

  async #write(run: RunAddress, line: object): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(this.#path(run), "a", 0o600);
    try {
      // The leading break ends a line that a full disk cut short.
      await file.appendFile(`\n${JSON.stringify(line)}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  /** Clients choose ids, so a name is a hash. */
  #path({ ownerId, runId }: RunAddress): string {
    const hash = createHash("sha256")
      .update(JSON.stringify([ownerId, runId]))
      .digest("hex");
    return join(this.#folder, `${hash}${extension}`);
  }
}

function linesOf(text: string): Line[] {
  return text.split("\n").flatMap((json) => {
    const line = lineSchema.safeParse(parsed(json));
    return line.success ? [line.data] : [];
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function textAt(path: string): Promise<string> {
  return readFile(path, "utf8").catch(unlessMissing(""));
}

function unlessMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
}
