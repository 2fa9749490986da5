"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, parsed, pathOf } from "@/app/_api/api";
import { answerError, errorSentence } from "@/app/_api/api-error";
import { pageFetch } from "@/app/_api/page-person";
import { queryKeys } from "@/app/_api/query-keys";
import { eventsIn } from "@/app/_data/chat/run-stream";
import { createStore, useStore } from "@/app/_ui/store";
import type { OllamaWire, PullWire } from "@/lib/chat/wire/settings";

export type PullServer = OllamaWire["servers"][number];

export interface Pull {
  readonly server: PullServer;
  readonly model: string;
  readonly event: PullWire;
  readonly cancel: () => void;
}

/** Goes on while other pages are shown, and ends with the tab. */
const pulls = createStore<Pull | null>(null);

export function useOllama() {
  return useQuery({
    queryKey: queryKeys.ollama,
    queryFn: ({ signal }) => api("GET /api/ollama", { signal }),
    staleTime: 0,
  });
}

export function usePull() {
  const client = useQueryClient();

  async function start(server: PullServer, model: string) {
    const cancelling = new AbortController();
    const show = (event: PullWire) =>
      pulls.update(() => ({ server, model, event, cancel: () => cancelling.abort() }));
    show({ kind: "progress", status: "", completed: 0, total: 0 });
    try {
      const { signal } = cancelling;
      const last = await followPull({ provider: server.provider, model }, { signal, show });
      if (last.kind === "progress") show({ kind: "failed", message: brokenOff });
      if (last.kind === "done") await client.invalidateQueries({ queryKey: queryKeys.models });
    } catch (error) {
      if (cancelling.signal.aborted) pulls.update(() => null);
      else show({ kind: "failed", message: errorSentence(error) });
    }
  }

  return { pull: useStore(pulls), start };
}

const brokenOff = "Connection to Grove lost. Pull again to go on: what is loaded is kept.";

async function followPull(
  body: { readonly provider: string; readonly model: string },
  { signal, show }: { readonly signal: AbortSignal; readonly show: (event: PullWire) => void },
): Promise<PullWire> {
  const response = await pageFetch(pathOf("POST /api/ollama/pull", { body }), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw answerError(response.status, parsed(await response.text()));
  let last: PullWire = { kind: "progress", status: "", completed: 0, total: 0 };
  for await (const event of eventsIn<PullWire>(response)) {
    last = event;
    show(event);
  }
  return last;
}
