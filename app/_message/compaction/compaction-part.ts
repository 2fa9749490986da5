import { preloadable } from "@/app/_ui/preloadable";

// Most sessions have no summary, so its row is a script of its own.
const load = () => import("./compaction-row");

export const pendingCompactionPart = preloadable(() =>
  load().then((part) => part.PendingCompaction),
);

export const compactionPart = preloadable(() => load().then((part) => part.CompactionRow));
