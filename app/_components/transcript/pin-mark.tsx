import { Pin } from "lucide-react";

/** Says that a message stays word for word when the rest is summarized. */
export function PinMark() {
  return (
    <p className="mt-1 flex items-center gap-1.5 text-faint text-xs">
      <Pin aria-hidden className="size-3" />
      Pinned
    </p>
  );
}
