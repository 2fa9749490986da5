import { classNames } from "./class-names";

/** The outline of what is on its way; give it the size of the real thing so that nothing moves when it arrives. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames("block animate-breathe rounded-sm bg-hover", className)}
    />
  );
}
