"use client";

import Link from "next/link";
import { Failure } from "@/app/_api/failure";
import type { MemoryScope } from "@/app/_api/query-keys";
import { targetName } from "@/app/_data/memory/block-words";
import { useOpenProposals, useProposalDecision } from "@/app/_data/memory/use-proposals";
import { messageAddress } from "@/app/_data/search/search-addresses";
import { ProposalChanges } from "@/app/_message/memory/proposal-changes";
import { ProposalEditor } from "@/app/_message/memory/proposal-editor";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ErrorNotice } from "@/app/_ui/notice";
import { RelativeTime } from "@/app/_ui/relative-time";
import { Section } from "@/app/_ui/section";
import type { ProposalWire } from "@/lib/chat/wire/memory";

export interface OpenProposalsProps {
  /** `null` shows the proposals of all sessions. */
  sessionId: MemoryScope;
  onOpenLeaf: (messageId: string) => void;
}

export function OpenProposals({ sessionId, onOpenLeaf }: OpenProposalsProps) {
  const proposals = useOpenProposals(sessionId);
  const { data } = proposals;
  if (!data) return <Failure of={proposals} />;
  if (data.length === 0) return null;
  return (
    <Section
      title="Waiting for you"
      note="Suggestions of models and programs. Nothing is saved until you accept."
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

interface ProposalCardProps {
  sessionId: MemoryScope;
  proposal: ProposalWire;
  onOpenLeaf: (messageId: string) => void;
}

function ProposalCard({ sessionId, proposal, onOpenLeaf }: ProposalCardProps) {
  const deciding = useProposalDecision(proposal.id, { place: "list", firstView: "shown" });
  const { isConflict, isBusy, accept, decline, setView } = deciding;
  const name = targetName(proposal);
  const isChanged = proposal.isChangedSince || isConflict;
  return (
    <article
      aria-label={`Suggested change to ${name}`}
      className="flex flex-col gap-2.5 rounded-lg border border-accent/40 bg-raised p-3.5"
    >
      <header>
        <h3 className="font-medium text-sm [overflow-wrap:anywhere]">
          {proposal.action === "append" ? "Add to" : "Rewrite"} {name}
        </h3>
        <p className="text-faint text-xs">
          <RelativeTime at={proposal.createdAt} />
          {" · "}
          <Source sessionId={sessionId} proposal={proposal} onOpenLeaf={onOpenLeaf} />
        </p>
      </header>
      <ProposalChanges proposal={proposal} isConflict={isConflict} />
      {deciding.view === "edited" ? (
        <ProposalEditor
          proposal={proposal}
          isBusy={isBusy}
          onSave={(content) => accept(proposal, content)}
          onCancel={() => setView("shown")}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="primary" busy={isBusy} onClick={() => accept(proposal)}>
            {isChanged && proposal.action === "replace" ? "Accept anyway" : "Accept"}
          </Button>
          <Button size="sm" onClick={() => setView("edited")}>
            Edit
          </Button>
          <Button size="sm" variant="ghost" disabled={isBusy} onClick={decline}>
            Decline
          </Button>
        </div>
      )}
      {deciding.problem && <ErrorNotice>{deciding.problem}</ErrorNotice>}
    </article>
  );
}

function Source({ sessionId, proposal, onOpenLeaf }: ProposalCardProps) {
  const { messageId, program } = proposal;
  if (program !== null) return `From ${program}`;
  if (messageId === null || proposal.sessionId === null) return "The model";
  const look = "text-accent underline underline-offset-4";
  if (proposal.sessionId === sessionId) {
    return (
      <button type="button" className={look} onClick={() => onOpenLeaf(messageId)}>
        Show the message
      </button>
    );
  }
  const address = messageAddress(proposal.sessionId, messageId);
  return (
    <Link href={address} className={look}>
      Show the message
    </Link>
  );
}
