import { findPgBouncer } from "@/lib/postgres/testing/pgbouncer";
import { kills } from "./kills";
import { outage } from "./outage";
import { pooler } from "./pooler";
import { stops } from "./stops";
import { testSmallDrills } from "./testing/small-drills";
import { toolKills } from "./tool-kills";

// In a file of their own, beside the others: they wait for half of their time.
testSmallDrills([
  [kills, 4],
  [toolKills, 3],
  [stops, 8],
  [outage, 3],
  ...(findPgBouncer() ? [[pooler, 2] as const] : []),
]);
