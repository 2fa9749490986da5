import { LoaderCircle } from "lucide-react";
import { classNames } from "./class-names";

/** For waits under five seconds; longer ones say what they are doing. */
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
