import type { Drill } from "./drill";

/** In the order of `npm run drill`. */
export const drills: Drill[] = [];
