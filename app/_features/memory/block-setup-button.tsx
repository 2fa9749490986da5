"use client";

import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { BlockScope } from "@/app/_api/query-keys";
import { IconButton } from "@/app/_ui/button";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { BlockDialog } from "./block-dialog";
import { blockTitle } from "./block-words";

export interface BlockSetupButtonProps {
  sessionId: BlockScope;
  block: BlockWire;
}

/** Hidden where no setting can change. */
export function BlockSetupButton({ sessionId, block }: BlockSetupButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (!block.isOwn && block.maxTokens === null) return null;
  return (
    <>
      <IconButton label={`Set up ${blockTitle(block.label)}`} onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden />
      </IconButton>
      {isOpen && <BlockDialog sessionId={sessionId} block={block} onClose={() => setOpen(false)} />}
    </>
  );
}
