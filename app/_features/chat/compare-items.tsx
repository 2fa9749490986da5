"use client";

import { Columns2 } from "lucide-react";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { MenuItem } from "@/app/_ui/menu";
import type { SiblingsWire } from "@/lib/chat/wire/messages";

export function CompareItems({ siblings }: { siblings: SiblingsWire }) {
  const { compareWith } = useTranscriptActions();
  const { index, previousId, nextId } = siblings;
  return (
    <>
      {previousId !== null && (
        <MenuItem
          icon={<Columns2 aria-hidden />}
          onSelect={() => compareWith(previousId, "before")}
        >
          Compare with version {index}
        </MenuItem>
      )}
      {nextId !== null && (
        <MenuItem icon={<Columns2 aria-hidden />} onSelect={() => compareWith(nextId, "after")}>
          Compare with version {index + 2}
        </MenuItem>
      )}
    </>
  );
}
