"use client";

import { PageTrouble } from "@/app/_shell/page-trouble";

export default function PageError({ reset }: { reset: () => void }) {
  return <PageTrouble onRetry={reset} />;
}
