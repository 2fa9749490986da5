"use client";

import type { ReactNode } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { targetName, wishWords } from "@/app/_data/memory/block-words";
import {
  type ProposalDeciding,
  useProposal,
  useProposalDecision,
} from "@/app/_data/memory/use-proposals";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { ProposalWire } from "@/lib/chat/wire/memory";
import type { ProposedWriteWire } from "@/lib/chat/wire/messages";
import { Chip, inAnotherPlace, WriteChip } from "./memory-writes";
import { ProposalChanges } from "./proposal-changes";
import { ProposalEditor } from "./proposal-editor";

export function MemoryProposals({ proposals }: { proposals: readonly ProposedWriteWire[] }) {
  return (
    <ul aria-label="Suggested memory changes" className="my-2 flex flex-col gap-2">
      {proposals.map((wish) => (
        <li key={wish.id}>
          {wish.space === undefined ? (
            <ProposedWrite wish={wish} />
          ) : (
            <Wish wish={wish}>{inAnotherPlace}</Wish>
          )}
        </li>
      ))}
    </ul>
  );
}

function ProposedWrite({ wish }: { wish: ProposedWriteWire }) {
  const { data, error } = useProposal(wish.id);
  const deciding = useProposalDecision(wish.id, { place: "line", firstView: "closed" });
  const readsOnly = useReadsOnly();
  if (readsOnly)
    return <Wish wish={wish}>{data?.status === "open" ? "waiting" : data?.status}</Wish>;
  if (data?.status === "open") return <OpenWish wish={wish} proposal={data} deciding={deciding} />;
  if (data?.status === "accepted" && data.version !== null) {
    const { version } = data;
    const write = {
      ...(wish.blockId !== undefined && { blockId: wish.blockId }),
      label: wish.label,
      version,
      lines: wish.lines,
    };
    return (
      <WriteChip write={wish.key ? { ...write, key: wish.key } : write} note="accepted by you" />
    );
  }
  return <Wish wish={wish}>{data ? data.status : noteOn(error)}</Wish>;
}

function noteOn(error: Error | null): string {
  if (error instanceof ApiError && error.status === 404) return "deleted";
  return error ? errorSentence(error) : "…";
}

function Wish({ wish, children }: { wish: ProposedWriteWire; children: ReactNode }) {
  return <Chip words={wishWords(wish.lines)} name={targetName(wish)} note={children} />;
}

interface OpenWishProps {
  wish: ProposedWriteWire;
  proposal: ProposalWire;
  deciding: ProposalDeciding;
}

function OpenWish({ wish, proposal, deciding }: OpenWishProps) {
  const { view, setView, accept, decline, isBusy, isConflict, problem } = deciding;
  const isOpen = view !== "closed";
  const name = targetName(wish);
  return (
    <div className="flex flex-col items-start gap-2">
      <Wish wish={wish}>
        <span className="flex flex-wrap gap-x-3">
          <WishButton
            label={isOpen ? "Hide" : "Show"}
            name={name}
            aria-expanded={isOpen}
            onClick={() => setView(isOpen ? "closed" : "shown")}
          />
          <WishButton
            label="Accept"
            name={name}
            disabled={isBusy}
            onClick={() => accept(isOpen ? proposal : null)}
          />
          <WishButton label="Edit" name={name} onClick={() => setView("edited")} />
          <WishButton label="Decline" name={name} disabled={isBusy} onClick={decline} />
        </span>
      </Wish>
      {isOpen && (
        <div className="flex w-full flex-col gap-2">
          <ProposalChanges proposal={proposal} isConflict={isConflict} />
          {view === "edited" && (
            <ProposalEditor
              proposal={proposal}
              isBusy={isBusy}
              onSave={(content) => accept(proposal, content)}
              onCancel={() => setView("shown")}
            />
          )}
        </div>
      )}
      {problem && (
        <span role="alert" className="text-danger text-xs">
          {problem}
        </span>
      )}
    </div>
  );
}

interface WishButtonProps {
  label: string;
  name: string;
  disabled?: boolean;
  "aria-expanded"?: boolean;
  onClick: () => void;
}

function WishButton({ label, name, ...props }: WishButtonProps) {
  return (
    <button
      type="button"
      className="rounded-xs font-medium text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent disabled:opacity-50"
      {...props}
    >
      {label}
      <span className="sr-only"> writing to {name}</span>
    </button>
  );
}
