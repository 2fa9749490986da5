"use client";

import { ApiError, errorSentence } from "@/app/_api/api-error";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { ProposalWire } from "@/lib/chat/wire/memory";
import { useDecideProposal } from "./use-proposals";

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
