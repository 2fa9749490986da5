import { Leaf } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "@/app/_ui/class-names";

export interface MessageFrameProps {
  /** For screen readers; sighted readers see it from the shape. */
  readonly author: "You" | "Grove" | "Note";
  readonly at: string;
  readonly isFlashing: boolean;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export function MessageFrame({
  author,
  at,
  isFlashing,
  isBusy = false,
  children,
}: MessageFrameProps) {
  const time = at === "" ? "" : new Date(at).toLocaleTimeString("en", timeFormat);
  return (
    <article
      data-reveal
      aria-label={`${names[author]}, ${time}`}
      aria-busy={isBusy}
      suppressHydrationWarning
      className={classNames(
        "-mx-3 rounded-lg px-3",
        author === "Grove" ? "pb-1" : "pt-7",
        isFlashing && "animate-flash",
      )}
    >
      {children}
    </article>
  );
}

const names = { You: "You", Grove: "Answer", Note: "Note" } as const;

const timeFormat = { hour: "2-digit", minute: "2-digit" } as const;

export function WritingMark() {
  return (
    <span className="flex items-center gap-2 pl-1.5 text-muted text-sm">
      <Leaf aria-hidden className="size-4 animate-breathe text-accent" />
      Thinking…
    </span>
  );
}
