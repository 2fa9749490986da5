import { LoaderCircle } from "lucide-react";
import { classNames } from "./class-names";

/** Fits waits under five seconds; longer ones say what they are doing. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span
      role={label ? "status" : undefined}
      aria-hidden={label ? undefined : true}
      className={classNames("inline-flex", className)}
    >
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames("block animate-breathe rounded-sm bg-hover", className)}
    />
  );
}

const widths = ["w-4/5", "w-3/5", "w-11/12", "w-2/3", "w-1/2"] as const;

export function ListSkeleton({ label, rows }: { label: string; rows: number }) {
  return (
    <div role="status" className="flex flex-col gap-3.5 p-4">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={at} className={`h-4 ${widths[at % widths.length]}`} />
      ))}
    </div>
  );
}
