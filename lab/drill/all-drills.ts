import { accounts } from "./accounts";
import { backendKills } from "./backend-kills";
import { backups } from "./backups";
import { chunks } from "./chunks";
import { crowd } from "./crowd";
import { dialects } from "./dialects/dialects";
import type { Drill } from "./drill";
import { ends } from "./ends";
import { accountExports } from "./exports";
import { forged } from "./forged";
import { frozen } from "./frozen";
import { fuzz } from "./fuzz";
import { guard } from "./guard";
import { heavyAnswers } from "./heavy-answers";
import { histories } from "./histories";
import { mutatedImports } from "./imports";
import { injections } from "./injections";
import { kills } from "./kills";
import { leavers } from "./leavers";
import { modelFaults } from "./model-faults";
import { operations } from "./operations";
import { orphans } from "./orphans";
import { longOutage, outage } from "./outage";
import { overlaps } from "./overlaps";
import { pairs } from "./pairs";
import { pooler } from "./pooler";
import { processes } from "./processes";
import { reloads } from "./reloads";
import { rendering } from "./rendering";
import { restarts } from "./restarts";
import { scale } from "./scale";
import { servers } from "./servers/servers";
import { silentDatabase } from "./silent-database";
import { soak } from "./soak";
import { stops } from "./stops";
import { streams } from "./streams";
import { texts } from "./texts";
import { toolKills } from "./tool-kills";
import { tools } from "./tools";
import { trees } from "./trees";
import { upgrades } from "./upgrades";

/** In the order of `npm run drill`. */
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
  orphans,
  frozen,
  stops,
  injections,
  tools,
  servers,
  texts,
  fuzz,
  rendering,
  guard,
  accounts,
  leavers,
  crowd,
  modelFaults,
  dialects,
  streams,
  chunks,
  histories,
  operations,
  overlaps,
  pairs,
  trees,
  accountExports,
  mutatedImports,
  forged,
  scale,
  ends,
  heavyAnswers,
  soak,
  backups,
  upgrades,
];
