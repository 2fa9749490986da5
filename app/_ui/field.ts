export const fieldLook =
  "w-full rounded-md border border-edge/60 bg-raised text-ink transition-colors hover:border-edge " +
  "focus:border-accent focus:outline-2 focus:outline-accent/25 focus:outline-offset-0 " +
  "aria-invalid:border-danger disabled:bg-sunken disabled:text-muted";
