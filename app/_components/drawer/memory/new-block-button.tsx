"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import type { BlockScope } from "@/app/_hooks/api/query-keys";
import { BlockDialog } from "./block-dialog";

/** The way to a block of one's own. */
export function NewBlockButton({ sessionId }: { sessionId: BlockScope }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        New block
      </Button>
      {isOpen && <BlockDialog sessionId={sessionId} block={null} onClose={() => setOpen(false)} />}
    </>
  );
}
