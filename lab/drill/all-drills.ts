import { accounts } from "./accounts";
import { backendKills } from "./backend-kills";
import { backups } from "./backups";
import { clientPrograms } from "./clients/clients";
import { toolServers } from "./clients/tool-servers";
import { crowd } from "./crowd";
import { dialects } from "./dialects/dialects";
import type { Drill } from "./drill";
import { frozen } from "./frozen";
import { fuzz } from "./fuzz";
import { guard } from "./guard";
import { kills } from "./kills";
import { leavers } from "./leavers";
import { longOutage, outage } from "./outage";
import { pairs } from "./pairs";
import { pooler } from "./pooler";
import { processes } from "./processes";
import { reloads } from "./reloads";
import { rendering } from "./rendering";
import { restarts } from "./restarts";
import { silentDatabase } from "./silent-database";
import { soak } from "./soak";
import { stops } from "./stops";
import { toolKills } from "./tool-kills";
import { upgrades } from "./upgrades";

/** Drills in the order of `npm run drill`. */
export const drills: Drill[] = [
  kills,
  pooler,
  toolKills,
  outage,
  longOutage,
  processes,
  reloads,
  backendKills,
  restarts,
  silentDatabase,
  frozen,
  stops,
  fuzz,
  rendering,
  guard,
  accounts,
  leavers,
  crowd,
  clientPrograms,
  toolServers,
  dialects,
  pairs,
  soak,
  backups,
  upgrades,
];
