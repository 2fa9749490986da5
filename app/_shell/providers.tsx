"use client";

import { Tooltip } from "radix-ui";
import type { ReactNode } from "react";
import { QueryProvider } from "@/app/_api/query-provider";
import { Toaster } from "@/app/_ui/toaster";
import { AwayPage } from "./away-page";

export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryProvider>
      <Tooltip.Provider delayDuration={450} skipDelayDuration={200}>
        {children}
        <Toaster />
        <AwayPage />
      </Tooltip.Provider>
    </QueryProvider>
  );
}
