"use client";

import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { type MemoryScope, queryKeys } from "@/app/_api/query-keys";
import { useServerEvent } from "@/app/_api/server-events";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { acceptProposalRequest, ProposalWire } from "@/lib/chat/wire/memory";
import { rereadMemory } from "./use-blocks";

export function useOpenProposals(
  scope: MemoryScope,
  { enabled = true }: { enabled?: boolean } = {},
) {
  return useQuery({
    enabled,
    queryKey: queryKeys.proposals(scope),
    queryFn: async ({ signal }) => {
      const query = { session: scope, status: "open" };
      return (await api("GET /api/proposals", { query, signal })).proposals;
    },
  });
}

export function useProposal(id: string) {
  return useQuery({
    queryKey: queryKeys.proposal(id),
    queryFn: ({ signal }) =>
      api("GET /api/proposals/:proposalId", { params: { proposalId: id }, signal }),
  });
}

type ProposalDecision =
  | ({ readonly action: "accept" } & z.input<typeof acceptProposalRequest>)
  | { readonly action: "decline" };

function useDecideProposal(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ action, ...body }: ProposalDecision) => {
      const params = { proposalId: id };
      return action === "accept"
        ? api("POST /api/proposals/:proposalId/accept", { params, body })
        : api("POST /api/proposals/:proposalId/decline", { params });
    },
    onSuccess: (proposal) => {
      client.setQueryData<ProposalWire>(queryKeys.proposal(id), proposal);
      return rereadMemory(client);
    },
    onError: () => rereadProposals(client),
  });
}

export function useProposalEvents(): void {
  const client = useQueryClient();
  useServerEvent((event) => {
    const hasEnded = event.type === "run-finished" && event.status !== "complete";
    if (event.type === "proposals-changed" || hasEnded) void rereadProposals(client);
  });
}

function rereadProposals(client: QueryClient): Promise<unknown> {
  return client.invalidateQueries({
    queryKey: queryKeys.memory,
    predicate: ({ queryKey }) => queryKey[1] === "proposals" || queryKey[1] === "proposal",
  });
}

export type ProposalView = "closed" | "shown" | "edited";

export function useProposalDecision(
  id: string,
  { place, firstView }: { place: string; firstView: ProposalView },
) {
  const [view, setView] = useKeptState(`proposal/${id}/${place}`, firstView);
  const deciding = useDecideProposal(id);
  const { error } = deciding;
  const isConflict = error instanceof ApiError && error.code === "block-conflict";

  function accept(seen: ProposalWire | null, content?: string) {
    const decision = {
      action: "accept",
      ...(seen && { expectedVersion: seen.currentVersion }),
      ...(content !== undefined && { content }),
    } as const;
    deciding.mutate(decision, {
      // The person must see the current text before replacing it.
      onError: () => view === "closed" && setView("shown"),
    });
  }

  return {
    view,
    setView,
    accept,
    decline: () => deciding.mutate({ action: "decline" }),
    isBusy: deciding.isPending,
    isConflict,
    problem: error && !isConflict ? errorSentence(error) : null,
  };
}

export type ProposalDeciding = ReturnType<typeof useProposalDecision>;
