import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { EmbeddedPostgresError } from "./embedded-postgres-error";

const run = promisify(execFile);

/** `null` for this process's own account. */
export type Account = { name: string; uid: number; gid: number } | null;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Postgres refuses to run as root. No account is created. @throws {EmbeddedPostgresError} `no-account` when root finds
 * none of them, `not-owned` when the data folder belongs to another user.
 */
export async function chooseAccount(dataFolder: string): Promise<Account> {
  const owner = await ownerOf(dataFolder);
  if (!isRoot()) {
    assertOwn(dataFolder, owner);
    return null;
  }
  const candidates = [...(owner ? [String(owner)] : []), "postgres", "_postgres", "nobody"];
  for (const candidate of candidates) {
    const account = await lookUp(candidate);
    if (account) return account;
  }
  throw new EmbeddedPostgresError(
    "Postgres refuses to run as root and this system has no account `postgres` or `nobody`. Start Grove as an ordinary user, or set DATABASE_URL.",
    { code: "no-account" },
  );
}

function assertOwn(dataFolder: string, owner: number | null): void {
  const self = process.getuid?.();
  if (owner === null || self === undefined || owner === self) return;
  throw new EmbeddedPostgresError(
    `The database in ${dataFolder} belongs to another user (uid ${owner}), as it does after a start as root. Start Grove as root again, or give the folder to yourself with chown -R.`,
    { code: "not-owned" },
  );
}

async function ownerOf(folder: string): Promise<number | null> {
  try {
    return (await stat(folder)).uid;
  } catch {
    return null;
  }
}

async function lookUp(nameOrUid: string): Promise<Account> {
  try {
    const [name, uid, gid] = await Promise.all(
      ["-un", "-u", "-g"].map(async (flag) => (await run("id", [flag, nameOrUid])).stdout.trim()),
    );
    // macOS prints -2 for nobody; the kernel's number is unsigned.
    const account = { name: name ?? nameOrUid, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
    return account.uid === 0 ? null : account;
  } catch {
    return null;
  }
}
