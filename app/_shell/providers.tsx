"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { Tooltip } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { Toaster as Sonner } from "sonner";
import { isPassing } from "@/app/_api/api-error";
import { PageQueryClient } from "@/app/_api/page-query-client";

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

function AwayPage() {
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
    // Private windows may refuse; the browser then shows its own page.
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  }, []);
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

function Toaster() {
  return (
    // Sonner returns the focus whenever it leaves, which would trap Tab.
    <div onFocusCapture={(event) => event.stopPropagation()}>
      <Sonner
        // At the bottom, toasts would cover the composer.
        position="top-center"
        gap={8}
        offset={60}
        mobileOffset={{ top: 60, left: 16, right: 16 }}
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "flex w-full items-center font-sans! gap-3 rounded-lg bg-ink px-4 py-3 text-paper text-sm shadow-dialog sm:w-(--width)",
            content: "min-w-0 flex-1",
            title: "font-medium",
            description: "opacity-80",
            icon: "hidden",
            actionButton:
              "shrink-0 rounded-sm px-2 py-1 font-semibold underline-offset-4 hover:underline outline-offset-0",
          },
        }}
      />
    </div>
  );
}
