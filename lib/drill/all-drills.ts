import { backendKills } from "./backend-kills";
import type { Drill } from "./drill";
import { histories } from "./histories";
import { injections } from "./injections";
import { kills } from "./kills";
import { modelFaults } from "./model-faults";
import { operations } from "./operations";
import { longOutage, outage } from "./outage";
import { processes } from "./processes";
import { reloads } from "./reloads";
import { restarts } from "./restarts";
import { silentDatabase } from "./silent-database";

/** In the order of `npm run drill`. */
export const drills: Drill[] = [
  kills,
  outage,
  longOutage,
  processes,
  reloads,
  backendKills,
  restarts,
  silentDatabase,
  injections,
  modelFaults,
  histories,
  operations,
];
