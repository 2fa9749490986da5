"use client";

import { PageTrouble } from "@/app/_shell/page-trouble";

/** Shown in place of a page that failed to render; the shell around it keeps working. */
export default function PageError({ reset }: { reset: () => void }) {
  return <PageTrouble onRetry={reset} />;
}
