"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/app/_ui/button";
import { FocusField } from "./focus-field";

export interface RedoFormProps {
  initialFocus: string;
  onRedo: (focus: string) => void;
  onCancel: () => void;
}

export function RedoForm({ initialFocus, onRedo, onCancel }: RedoFormProps) {
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
