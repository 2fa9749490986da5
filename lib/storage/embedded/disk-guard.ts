import { randomBytes } from "node:crypto";
import { open, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { giveTo, type Placement } from "./placement";
import { connectOnce } from "./probe";

const mebibyte = 2 ** 20;
/** Three segments of Postgres' log, which recovery and a checkpoint need. */
const reserveBytes = 48 * mebibyte;
const lowBytes = 32 * mebibyte;
const enoughBytes = reserveBytes + 64 * mebibyte;
const checkMs = 1_000;

export interface DiskGuardOptions {
  placement: Placement;
  adminUrl: string;
  log: (line: string) => void;
}

/**
 * Postgres would end on a full disk and could not start again, so a reserve file is removed when space runs out, and
 * nothing is written until there is space.
 */
export class DiskGuard {
  readonly #options: DiskGuardOptions;
  readonly #reserve: string;
  /** `null` until the server was asked. */
  #isReadOnly: boolean | null = null;
  #checking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskGuardOptions) {
    this.#options = options;
    this.#reserve = join(dirname(options.placement.folder), "disk-reserve");
  }

  async makeSpace(): Promise<void> {
    this.#isReadOnly = null;
    if ((await this.#freeBytes()) < lowBytes) await rm(this.#reserve, { force: true });
  }

  async watch(): Promise<void> {
    clearInterval(this.#timer);
    await this.#check();
    this.#timer = setInterval(() => {
      this.#checking = this.#checking.then(() => this.#check());
    }, checkMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  async #check(): Promise<void> {
    const wasReadOnly = this.#isReadOnly;
    try {
      const isReadOnly = !(await this.#ensureReserve());
      if (isReadOnly === wasReadOnly) return;
      await this.#setReadOnly(isReadOnly);
      this.#isReadOnly = isReadOnly;
    } catch {
      // The server is starting or ending, or its disk is away; the next check tries again.
      return;
    }
    if (this.#isReadOnly) this.#options.log(this.#full());
    else if (wasReadOnly) this.#options.log("There is space again: Grove writes again.");
  }

  async #ensureReserve(): Promise<boolean> {
    const free = await this.#freeBytes();
    const present = await stat(this.#reserve).catch(() => null);
    if (present?.size === reserveBytes && free >= lowBytes) return true;
    if (present) await rm(this.#reserve, { force: true });
    if (free + (present?.size ?? 0) < enoughBytes) return false;
    return this.#writeReserve();
  }

  async #writeReserve(): Promise<boolean> {
    const file = await open(this.#reserve, "w", 0o600);
    try {
      // Random bytes, since some file systems do not store zeros.
      const block = randomBytes(mebibyte);
      for (let bytes = 0; bytes < reserveBytes; bytes += mebibyte) await file.write(block);
      await giveTo(this.#options.placement.account, this.#reserve);
      return true;
    } catch {
      await rm(this.#reserve, { force: true });
      return false;
    } finally {
      await file.close();
    }
  }

  /** The setting outlives the server, so each start sets it again. */
  async #setReadOnly(isReadOnly: boolean): Promise<void> {
    const sql = connectOnce(this.#options.adminUrl);
    try {
      const [row] = await sql<{ state: string }[]>`
        select current_setting('default_transaction_read_only') as state`;
      if (row?.state === (isReadOnly ? "on" : "off")) return;
      await sql.unsafe(
        isReadOnly
          ? "alter system set default_transaction_read_only = on"
          : "alter system reset default_transaction_read_only",
      );
      await sql`select pg_reload_conf()`;
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  #full(): string {
    const folder = dirname(this.#options.placement.folder);
    const megabytes = Math.ceil(enoughBytes / 1e6);
    return `The disk of ${folder} is full. Everything can be read, but nothing is written until ${megabytes} MB are free there; then Grove goes on without a restart.`;
  }

  async #freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(dirname(this.#options.placement.folder));
    return bavail * bsize;
  }
}
