"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isPassing } from "./api-error";

/** Server events invalidate queries, so nothing is refetched on a timer. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function createClient(): QueryClient {
  return new QueryClient({
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
