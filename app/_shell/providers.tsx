"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { isPassing } from "@/app/_api/api-error";
import { PageQueryClient } from "@/app/_api/page-query-client";
import { keepKeysOfInputMethods } from "@/app/_ui/input-method";
import { usePageSettled } from "@/app/_ui/page-phase";
import { Toasts } from "@/app/_ui/toast";
import { TooltipLayer } from "@/app/_ui/tooltip-layer";

// Listens before React does.
if (typeof window !== "undefined") keepKeysOfInputMethods(window);

export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryProvider>
      {children}
      <Toasts />
      <TooltipLayer />
      <AwayPage />
    </QueryProvider>
  );
}

function AwayPage() {
  const isSettled = usePageSettled();
  useEffect(() => {
    if (!isSettled) return;
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
    // Private windows may refuse; the browser then shows its own page.
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  }, [isSettled]);
  return null;
}

/** Server events invalidate queries, so nothing is refetched on a timer. */
function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function createClient(): PageQueryClient {
  return new PageQueryClient({
    defaultOptions: {
      queries: {
        // A local Grove is reachable without any network.
        networkMode: "always",
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && isPassing(error),
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
