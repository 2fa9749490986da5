import { Check } from "lucide-react";
import type { AutosaveState } from "./autosave-state";

export function SaveState({ phase }: { phase: AutosaveState["phase"] }) {
  return (
    <span
      role="status"
      className="flex min-h-5 items-center gap-1.5 text-faint text-xs [&_svg]:size-3.5"
    >
      {(phase === "dirty" || phase === "saving") && "Saving…"}
      {phase === "saved" && (
        <>
          <Check aria-hidden className="text-accent" /> Saved
        </>
      )}
    </span>
  );
}
