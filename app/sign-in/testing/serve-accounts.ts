import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { services } from "@/lib/server/services";

export const origin = "https://grove.test";

/** Serves a Grove with accounts to the tests of a file. */
export function serveAccounts() {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    [database, folder] = await Promise.all([
      createTestDatabase(),
      mkdtemp(join(tmpdir(), "grove-accounts-")),
    ]);
    vi.stubEnv("DATABASE_URL", database.url);
    vi.stubEnv("GROVE_DATA_DIR", folder);
    vi.stubEnv("GROVE_ORIGIN", origin);
    vi.stubEnv("HOST", "127.0.0.1");
  });
  afterAll(async () => {
    const { sql, chunkSql } = services();
    await Promise.all([sql.end({ timeout: 1 }), chunkSql.end({ timeout: 1 })]);
    await database.drop();
    await rm(folder, { recursive: true });
  });
  return { signedIn };
}

async function signedIn() {
  const { accounts, ready, identify, owner } = services();
  await ready();
  const made = await accounts?.invite({ role: "owner", email: null, createdBy: null });
  const secret = new URL(made?.link ?? "").hash.slice(1);
  const person = { secret, name: "Ada", email: "ada@example.org", password: "a long password" };
  const accepted = await accounts?.accept(person, new Headers());
  const cookie = (accepted?.getSetCookie() ?? []).map((each) => each.split(";", 1)[0]).join("; ");
  const identity = await identify(new Headers({ cookie }));
  if (!identity) throw new Error("Nobody is signed in.");
  return { cookie, owner: owner(identity.ownerId) };
}
