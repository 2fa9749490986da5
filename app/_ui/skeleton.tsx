import { classNames } from "./class-names";

/** Give it the final size, so that nothing moves when the content arrives. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames("block animate-breathe rounded-sm bg-hover", className)}
    />
  );
}
