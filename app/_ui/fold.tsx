import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface FoldProps {
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  summary: ReactNode;
  chevron?: "start" | "end";
  className?: string;
  children: ReactNode;
}

export function Fold({
  isOpen,
  onToggle,
  summary,
  chevron = "start",
  className,
  children,
}: FoldProps) {
  const mark = (
    <ChevronRight
      aria-hidden
      // Only this fold's own state turns it: a fold may lie in another.
      className="size-3.5 shrink-0 in-[details[open]>summary]:rotate-90 text-faint transition-transform"
    />
  );
  return (
    <details
      className={classNames("text-sm", className)}
      open={isOpen}
      onToggle={(event) => onToggle(event.currentTarget.open)}
    >
      <summary className="flex w-fit max-w-full cursor-pointer list-none items-center gap-2 rounded-sm py-1 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        {chevron === "start" && mark}
        {summary}
        {chevron === "end" && mark}
      </summary>
      {isOpen && children}
    </details>
  );
}
