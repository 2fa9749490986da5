import { randomBytes } from "node:crypto";
import type { Sql } from "grove-session/postgres";
import { Accounts } from "@/lib/accounts/accounts";
import { localPersonId } from "@/lib/chat/core/person-in-space";
import { withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { ownerRights } from "@/lib/server/owner-rights";
import { PersonLimits } from "@/lib/server/person-limits";
import { type Spread, spread } from "./answers-bench";
import { type BenchOptions, onBenchDatabase } from "./bench-app";

/** Times are in milliseconds. */
export type AccountsFigures = Awaited<ReturnType<typeof accountsBench>>;

const people = 200;
const calls = 10_000;
const requests = 2_000;
const signIns = 20;
const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

export async function accountsBench({ say }: Pick<BenchOptions, "say">) {
  return withTemporaryFolder((dataDir) =>
    onBenchDatabase(dataDir, async (sql) => {
      const accounts = new Accounts({
        origin: "https://grove.example",
        providers: [],
        sql,
        secret: async () => randomBytes(32).toString("hex"),
        onFailure: (what, error) => say(`${what}: ${String(error)}`),
      });
      say(`Making ${people} people, and ${calls} calls of one.`);
      const cookie = await firstPerson(accounts);
      await fill(sql);
      const headers = new Headers({ cookie });
      const personId = (await accounts.identify(headers))?.personId ?? localPersonId;
      await sql`update chat_usage set owner_id = ${personId}`;
      const limits = new PersonLimits(accounts);
      await accounts.store.policies.change("everyone", {
        limits: { monthlyDollars: 1_000_000, messagesPerDay: 1_000_000, storedMegabytes: null },
      });
      const rightsOf = ownerRights(accounts, async () => ({ environment: {}, toolServers: [] }));
      say(`Timing ${requests} requests and ${signIns} sign-ins.`);
      return {
        identify: await timed(requests, () => accounts.identify(headers)),
        rights: await timed(requests, () => rightsOf(personId)),
        limits: await timed(200, () => limits.assertMayAsk(personId)),
        signIn: await timed(signIns, () => accounts.signIn(person, new Headers())),
      };
    }),
  );
}

async function firstPerson(accounts: Accounts): Promise<string> {
  const link = await accounts.firstInvite();
  const secret = new URL(link ?? "").hash.slice(1);
  const made = await accounts.accept({ ...person, secret }, new Headers());
  return made.cookies
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
}

async function fill(sql: Sql): Promise<void> {
  await sql`
    insert into account_user (id, owner_id, name, email)
    select 'p' || n, 'p' || n, 'Person', 'p' || n || '@example.org'
    from generate_series(1, ${people}::integer) n`;
  await sql`
    insert into account_session (id, token, user_id, expires_at)
    select 's' || n, 't' || n, 'p' || (n % ${people}::integer + 1), now() + interval '1 day'
    from generate_series(1, ${5 * people}::integer) n`;
  await sql`
    insert into chat_usage (owner_id, usage_id, kind, session_id, model, input_tokens, output_tokens, cost, reported)
    select 'bench', 'u' || n, 'answer', 's', 'm', 1, 1, 0.01, true
    from generate_series(1, ${calls}::integer) n`;
  await sql`analyze`;
}

async function timed(rounds: number, act: () => Promise<unknown>): Promise<Spread> {
  for (let n = 0; n < Math.min(rounds, 50); n++) await act();
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
  }
  return spread(times);
}
