import { preloadable } from "@/app/_ui/preloadable";

// Scripts of their own: most sessions have no summary. One for both, as the row of a summary shows one in writing, too.
const load = () => import("./compaction-row");

export const pendingCompactionPart = preloadable(() =>
  load().then((part) => part.PendingCompaction),
);

export const compactionPart = preloadable(() => load().then((part) => part.CompactionRow));
