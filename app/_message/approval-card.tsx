"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/app/_api/api-error";
import { targetName } from "@/app/_data/memory/block-words";
import { rereadMemory } from "@/app/_data/memory/use-blocks";
import { useProposal } from "@/app/_data/memory/use-proposals";
import { Button } from "@/app/_ui/button";
import { TextareaField } from "@/app/_ui/fields";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { ProposalWire } from "@/lib/chat/wire/memory";
import type { DecideRequest, ProposedWriteWire } from "@/lib/chat/wire/messages";
import {
  ApprovalChoices,
  ApprovalFrame,
  type ApprovalView,
  DenialForm,
  useDecision,
} from "./approval-frame";
import { ProposalChanges } from "./memory/proposal-changes";
import { ProposalEditor } from "./memory/proposal-editor";
import type { ShownCall } from "./message-parts";
import { ReadableValue } from "./readable-value";
import { toolName } from "./tool-words";

interface AskedCall {
  readonly sessionId: string;
  readonly messageId: string;
  readonly call: ShownCall & { readonly approvalId: string };
  readonly askedAt: string | null;
}

export interface ApprovalCardProps extends AskedCall {
  readonly write: ProposedWriteWire | undefined;
}

const waitsForWriters = "This waits for the approval of somebody who writes here.";

export function ApprovalCard({ write, ...asked }: ApprovalCardProps) {
  if (useReadsOnly()) return <p className="my-2 text-muted text-sm">{waitsForWriters}</p>;
  return write ? <WriteApproval {...asked} write={write} /> : <CallApproval {...asked} />;
}

/** Shows exactly the input that a tool would get. */
function CallApproval({ sessionId, messageId, call, askedAt }: AskedCall) {
  const key = `approval/${messageId}/${call.approvalId}`;
  const [view, setView] = useKeptState<ApprovalView>(key, "shown");
  const deciding = useDecision({ sessionId, messageId, approvalId: call.approvalId });
  const { mutate, isPending, error } = deciding;
  const back = () => setView("shown");
  return (
    <ApprovalFrame to={`call ${toolName(call)}`} askedAt={askedAt} error={error}>
      {view === "changed" ? (
        <InputForm
          stateKey={key}
          input={call.input}
          isBusy={isPending}
          onSave={(input) => mutate({ decision: "approve", input })}
          onCancel={back}
        />
      ) : (
        <ReadableValue value={call.input} />
      )}
      {view === "denied" && (
        <DenialForm
          stateKey={key}
          isBusy={isPending}
          onDeny={(reason) => mutate({ decision: "deny", ...(reason !== "" && { reason }) })}
          onCancel={back}
        />
      )}
      {view === "shown" && (
        <ApprovalChoices
          isBusy={isPending}
          onApprove={() => mutate({ decision: "approve" })}
          onApproveForChat={() => mutate({ decision: "approve", forChat: true })}
          onEdit={() => setView("changed")}
          onDeny={() => setView("denied")}
        />
      )}
    </ApprovalFrame>
  );
}

interface InputFormProps {
  readonly stateKey: string;
  readonly input: unknown;
  readonly isBusy: boolean;
  readonly onSave: (input: Record<string, unknown>) => void;
  readonly onCancel: () => void;
}

function InputForm({ stateKey, input, isBusy, onSave, onCancel }: InputFormProps) {
  const [text, setText] = useKeptState(`${stateKey}/input`, JSON.stringify(input ?? {}, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const changed = objectIn(text);
        if (changed) onSave(changed);
        else setProblem("This is no JSON object.");
      }}
    >
      <TextareaField
        label="Input"
        className="font-mono text-sm"
        spellCheck={false}
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={isBusy}>
          Approve with changes
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

interface WriteApprovalProps extends AskedCall {
  readonly write: ProposedWriteWire;
}

function WriteApproval({ sessionId, messageId, call, askedAt, write }: WriteApprovalProps) {
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

/** The server ended between the decision and the rest of the answer. */
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
