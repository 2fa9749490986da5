import { parseArgs } from "node:util";
import type { Sql } from "grove-session/postgres";
import { connect } from "grove-session/postgres";
import { Accounts } from "@/lib/accounts/accounts";
import { readAccounts } from "@/lib/accounts/environment";
import { appliedHashes, readMigrations } from "@/lib/postgres/start";
import { databaseTitle, openOrJoinDatabase } from "./open-database";
import { runCommand } from "./run-command";
import { appFolder, loadEnvironment, readStartSettings, StartError } from "./start-settings";

const root = process.cwd();

// `npm run account:link` prints a link for the owner, `npm run account:link -- ADDRESS` for a person.
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const environment = loadEnvironment(root, process.env);
  const read = readStartSettings(environment, { projectDir: root });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const [address, ...more] = positionals;
  if (more.length > 0) throw new StartError("npm run account:link takes one e-mail address.");
  const settings = readAccounts(environment);
  if (!settings) throw new StartError("This Grove has no accounts. GROVE_ORIGIN switches them on.");
  const database = await openOrJoinDatabase(read.settings, (line) => console.info(line));
  const sql = connect(database.url, { max: 1 });
  try {
    // Links need no secret: their own is stored as a hash.
    const secret = () => Promise.reject(new Error("This process keeps no secrets."));
    const accounts = new Accounts({ ...settings, sql, secret, onFailure: console.error });
    await assertPrepared(sql, appFolder);
    console.info(await linkFor(accounts, address ?? null, databaseTitle(read.settings)));
  } finally {
    await sql.end({ timeout: 1 });
    await database.stop();
  }
});

/** Upgrades are for the start, which backs up first. */
async function assertPrepared(sql: Sql, folder: string): Promise<void> {
  const known = await readMigrations(folder);
  if ((await appliedHashes(sql, known)).length === known.length) return;
  throw new StartError("Start this version of Grove once, which prepares its database.");
}

async function linkFor(
  accounts: Accounts,
  address: string | null,
  database: string,
): Promise<string> {
  const first = address === null ? await accounts.firstInvite() : null;
  if (first) return `Nobody can sign in yet. This link makes the first account: ${first}`;
  const made = await accounts.recoveryLink(address);
  if (!made)
    throw new StartError(
      `Nobody has an account with the address ${address} in ${database}. Settings, Account, People invites people.`,
    );
  return `With this link ${made.email} chooses a new password, within a day. It signs every device of the account out and turns two-factor sign-in off: ${made.link}`;
}
