import { preloadable } from "@/app/_ui/preloadable";

export const pendingSeamPart = preloadable(() =>
  import("./pending-seam").then((part) => part.PendingSeam),
);

/** Code-split, because most sessions have no summary. */
export const seamPart = preloadable(() =>
  import("./compaction-seam").then((part) => part.CompactionSeam),
);
