"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/app/_api/api-error";
import { rereadMemory } from "@/app/_data/memory/use-blocks";
import { useProposal } from "@/app/_data/memory/use-proposals";
import { targetName } from "@/app/_data/memory/write-words";
import { Button } from "@/app/_ui/button";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { ProposalWire } from "@/lib/chat/wire/memory";
import type { DecideRequest, ProposedWriteWire } from "@/lib/chat/wire/messages";
import type { ApprovalCardProps } from "./approval-card";
import {
  ApprovalChoices,
  ApprovalFrame,
  type ApprovalView,
  DenialForm,
  useDecision,
} from "./approval-frame";
import { ProposalChanges } from "./memory/proposal-changes";
import { ProposalEditor } from "./memory/proposal-editor";

export interface WriteApprovalProps extends ApprovalCardProps {
  readonly write: ProposedWriteWire;
}

/** Shows the change of the text that is there. */
export function WriteApproval({ sessionId, messageId, call, askedAt, write }: WriteApprovalProps) {
  const client = useQueryClient();
  const { approvalId } = call;
  const { data: proposal, error: unread } = useProposal(write.id);
  const { mutate, isPending, error } = useDecision(
    { sessionId, messageId, approvalId },
    { alsoReread: () => rereadMemory(client) },
  );
  const isConflict = error instanceof ApiError && error.code === "block-conflict";
  const deciding = { decide: mutate, isBusy: isPending };
  return (
    <ApprovalFrame
      to={`write to ${targetName(write)}`}
      askedAt={askedAt}
      error={isConflict ? null : (error ?? unread)}
    >
      {proposal?.status === "open" && (
        <OpenWrite
          stateKey={`approval/${messageId}/${approvalId}`}
          proposal={proposal}
          isConflict={isConflict}
          {...deciding}
        />
      )}
      {proposal && proposal.status !== "open" && (
        <DecidedWrite status={proposal.status} {...deciding} />
      )}
      {!proposal && !unread && <p className="text-muted text-sm">…</p>}
    </ApprovalFrame>
  );
}

interface Deciding {
  readonly decide: (request: DecideRequest) => void;
  readonly isBusy: boolean;
}

interface OpenWriteProps extends Deciding {
  readonly stateKey: string;
  readonly proposal: ProposalWire;
  /** The text changed while the person decided. */
  readonly isConflict: boolean;
}

function OpenWrite({ stateKey, proposal, isConflict, decide, isBusy }: OpenWriteProps) {
  const [view, setView] = useKeptState<ApprovalView>(stateKey, "shown");
  const approve = (more: { content?: string; forChat?: boolean } = {}) =>
    decide({ decision: "approve", expectedVersion: proposal.currentVersion, ...more });
  const isReplacing = (proposal.isChangedSince || isConflict) && proposal.action === "replace";
  const back = () => setView("shown");
  return (
    <>
      <ProposalChanges proposal={proposal} isConflict={isConflict} />
      {view === "changed" && (
        <ProposalEditor
          proposal={proposal}
          isBusy={isBusy}
          save="Approve with changes"
          onSave={(content) => approve({ content })}
          onCancel={back}
        />
      )}
      {view === "denied" && (
        <DenialForm
          stateKey={stateKey}
          isBusy={isBusy}
          onDeny={(reason) => decide({ decision: "deny", ...(reason !== "" && { reason }) })}
          onCancel={back}
        />
      )}
      {view === "shown" && (
        <ApprovalChoices
          isBusy={isBusy}
          {...(isReplacing && { approve: "Approve anyway" })}
          onApprove={() => approve()}
          onApproveForChat={proposal.mayAllowForChat ? () => approve({ forChat: true }) : null}
          onEdit={() => setView("changed")}
          onDeny={() => setView("denied")}
        />
      )}
    </>
  );
}

/** Decided, but the server ended before the answer went on. */
function DecidedWrite({ status, decide, isBusy }: Deciding & Pick<ProposalWire, "status">) {
  return (
    <>
      <p className="text-muted text-sm">
        {status === "accepted" ? "You approved this." : "You denied this."}
      </p>
      <div>
        <Button
          size="sm"
          variant="primary"
          busy={isBusy}
          onClick={() => decide({ decision: "approve" })}
        >
          Continue the answer
        </Button>
      </div>
    </>
  );
}
