import { backendKills } from "./backend-kills";
import type { Drill } from "./drill";
import { injections } from "./injections";
import { restarts } from "./restarts";
import { silentDatabase } from "./silent-database";

/** In the order of `npm run drill`. */
export const drills: Drill[] = [backendKills, restarts, silentDatabase, injections];
