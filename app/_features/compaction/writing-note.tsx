"use client";

import { Spinner } from "@/app/_ui/spinner";
import { RunningTime } from "./running-time";

/** `since` in milliseconds. */
export function WritingNote({ since }: { since: number }) {
  return (
    <p role="status" className="flex flex-1 items-center gap-2 text-muted text-sm">
      <Spinner />
      <span>
        Writing the summary… <RunningTime since={since} />
      </span>
    </p>
  );
}
