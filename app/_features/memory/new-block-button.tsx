"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import type { BlockScope } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { BlockDialog } from "./block-dialog";

export function NewBlockButton({ sessionId }: { sessionId: BlockScope }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        New section
      </Button>
      {isOpen && <BlockDialog sessionId={sessionId} block={null} onClose={() => setOpen(false)} />}
    </>
  );
}
