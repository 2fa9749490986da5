"use client";

import { PageTrouble } from "@/app/_shell/page-trouble";

/** Replaces a page that failed to render; the shell keeps working. */
export default function PageError({ reset }: { reset: () => void }) {
  return <PageTrouble onRetry={reset} />;
}
