"use client";

import { useRouter } from "next/navigation";
import { useChangeSession } from "@/app/_features/sessions/use-session-mutations";
import { Button } from "@/app/_ui/button";
import { complain } from "@/app/_ui/toast-error";
import { type Side, sideNames } from "./side";

export interface ContinueHereProps {
  readonly sessionId: string;
  readonly leafId: string;
  readonly side: Side;
}

/** Opens the end of a branch and makes it active. */
export function ContinueHere({ sessionId, leafId, side }: ContinueHereProps) {
  const router = useRouter();
  const change = useChangeSession();
  function go() {
    change.mutate(
      { id: sessionId, activeLeafId: leafId },
      {
        onSuccess: () => {
          const leaf = encodeURIComponent(leafId);
          router.push(`/s/${encodeURIComponent(sessionId)}?leaf=${leaf}`);
        },
        onError: complain,
      },
    );
  }
  return (
    <Button
      size="sm"
      aria-label={`Continue here: ${sideNames[side].toLowerCase()}`}
      onClick={go}
      busy={change.isPending}
    >
      Continue here
    </Button>
  );
}
