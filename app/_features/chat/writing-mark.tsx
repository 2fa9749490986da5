import { Leaf } from "lucide-react";

export function WritingMark() {
  return (
    <span className="flex items-center gap-2 pl-1.5 text-muted text-sm">
      <Leaf aria-hidden className="size-4 animate-breathe text-accent" />
      Thinking…
    </span>
  );
}
