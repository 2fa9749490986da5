"use client";

import { PageTrouble } from "@/app/_shell/page-trouble";
import "./globals.css";

export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en" data-theme="system">
      <body className="flex h-dvh">
        <title>Grove</title>
        <PageTrouble onRetry={reset} />
      </body>
    </html>
  );
}
