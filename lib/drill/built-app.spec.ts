import { expect, test } from "vitest";
import { findPgBouncer } from "@/lib/postgres/testing/pgbouncer";
import { accounts } from "./accounts";
import type { Drill } from "./drill";
import { fuzz } from "./fuzz";
import { kills } from "./kills";
import { outage } from "./outage";
import { pooler } from "./pooler";
import { processes } from "./processes";
import { reloads } from "./reloads";
import { rendering } from "./rendering";
import { soak } from "./soak";
import { stops } from "./stops";
import { toolKills } from "./tool-kills";

// Small counts on the built app: `npm run test:drills`, after `npm run build`.
const small: readonly (readonly [drill: Drill, count: number])[] = [
  [kills, 4],
  [toolKills, 3],
  [stops, 8],
  [outage, 3],
  [processes, 150],
  [reloads, 4],
  [accounts, 600],
  [fuzz, 400],
  [rendering, 20],
  [soak, 1],
  ...(findPgBouncer() ? [[pooler, 2] as const] : []),
];

test.each(small.map(([drill, count]) => ({ drill, count, promise: drill.promise })))(
  "$promise",
  async ({ drill, count }) => {
    const { signal } = new AbortController();
    const { broken } = await drill.run({ count, seed: 1, signal, say: () => undefined });
    expect(broken).toEqual([]);
  },
  300_000,
);
