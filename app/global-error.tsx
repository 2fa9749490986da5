"use client";

import { PageTrouble } from "@/app/_shell/page-trouble";
import "./globals.css";

/** Shown when the shell itself failed to render, so it brings a document of its own. */
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
