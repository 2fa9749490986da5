"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/app/_ui/button";
import type { CompactionWire } from "@/lib/chat/wire/compaction";
import { FocusField } from "./focus-field";
import { useCompacting } from "./use-compactions";

export interface RedoPanelProps {
  sessionId: string;
  leafId: string;
  compaction: CompactionWire;
  onClose: () => void;
}

/** The old summary stays until the new one is complete. */
export function RedoPanel({ sessionId, leafId, compaction, onClose }: RedoPanelProps) {
  const compact = useCompacting(sessionId);

  function start(focus: string) {
    onClose();
    void compact({ leafId, ...(focus !== "" && { focus }), replaces: compaction.id });
  }

  return <RedoForm initialFocus={compaction.focus ?? ""} onRedo={start} onCancel={onClose} />;
}

interface RedoFormProps {
  initialFocus: string;
  onRedo: (focus: string) => void;
  onCancel: () => void;
}

function RedoForm({ initialFocus, onRedo, onCancel }: RedoFormProps) {
  const [focus, setFocus] = useState(initialFocus);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    onRedo(focus.trim());
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-2.5">
      <FocusField value={focus} onChange={setFocus} autoFocus />
      <div className="flex items-center justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit">
          Rewrite
        </Button>
      </div>
    </form>
  );
}
