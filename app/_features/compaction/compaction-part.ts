import { preloadable } from "@/app/_ui/preloadable";

export const pendingCompactionPart = preloadable(() =>
  import("./summary-in-writing").then((part) => part.PendingCompaction),
);

/** A stored summary as a script of its own: most sessions have no summary. */
export const compactionPart = preloadable(() =>
  import("./compaction-row").then((part) => part.CompactionRow),
);
