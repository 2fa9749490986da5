"use client";

import { errorSentence } from "@/app/_api/api-error";
import type { BlockScope } from "@/app/_api/query-keys";
import { Badge } from "@/app/_ui/badge";
import { ErrorNotice } from "@/app/_ui/notice";
import { Section } from "@/app/_ui/section";
import { ProposalCard } from "./proposal-card";
import { useOpenProposals } from "./use-proposals";

export interface OpenProposalsProps {
  /** `null`: of all sessions. */
  sessionId: BlockScope;
  onOpenLeaf: (messageId: string) => void;
}

export function OpenProposals({ sessionId, onOpenLeaf }: OpenProposalsProps) {
  const { data, error, isFetching, refetch } = useOpenProposals(sessionId);
  if (!data && error) {
    return (
      <ErrorNotice onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error)}
      </ErrorNotice>
    );
  }
  if (!data || data.length === 0) return null;
  return (
    <Section
      title="Waiting for you"
      note="The model's suggestions. Nothing is saved until you accept."
      actions={<Badge tone="accent">{data.length}</Badge>}
    >
      {data.map((proposal) => (
        <ProposalCard
          key={proposal.id}
          sessionId={sessionId}
          proposal={proposal}
          onOpenLeaf={onOpenLeaf}
        />
      ))}
    </Section>
  );
}
