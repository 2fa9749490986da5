import { accounts } from "./accounts";
import { fuzz } from "./fuzz";
import { processes } from "./processes";
import { reloads } from "./reloads";
import { rendering } from "./rendering";
import { soak } from "./soak";
import { testSmallDrills } from "./testing/small-drills";

testSmallDrills([
  [processes, 150],
  [reloads, 4],
  [accounts, 600],
  [fuzz, 400],
  [rendering, 20],
  [soak, 1],
]);
