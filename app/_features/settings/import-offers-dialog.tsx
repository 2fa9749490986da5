"use client";

import { useState } from "react";
import { blockTitle } from "@/app/_data/memory/block-words";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { countOf } from "@/app/_ui/format-amount";
import type { ImportOfferWire } from "@/lib/chat/wire/data";

export interface ImportOffersDialogProps {
  readonly offers: readonly ImportOfferWire[];
  readonly unlisted: number;
  readonly onImport: (accepted: readonly string[]) => void;
  readonly onClose: () => void;
}

export function ImportOffersDialog({
  offers,
  unlisted,
  onImport,
  onClose,
}: ImportOffersDialogProps) {
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const isAll = accepted.size === offers.length;
  const toggle = (id: string) => setAccepted((before) => before.symmetricDifference(new Set([id])));
  return (
    <Dialog
      onClose={onClose}
      width="lg"
      title="Add to all chats?"
      description="Besides chats, this file has instructions, memory or settings that every chat would use. Select what you want and trust. The rest is left out."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => onImport([...accepted])}>
            {accepted.size === 0
              ? "Import chats only"
              : `Import with ${countOf(accepted.size, "item")}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={isAll}
            onChange={() => setAccepted(new Set(isAll ? [] : offers.map(({ id }) => id)))}
          />
          Select all
        </label>
        <ul aria-label="For all chats" className="flex flex-col gap-3">
          {offers.map((offer) => (
            <Offer
              key={offer.id}
              offer={offer}
              isAccepted={accepted.has(offer.id)}
              onToggle={() => toggle(offer.id)}
            />
          ))}
        </ul>
        {unlisted > 0 && (
          <p className="text-muted">
            {countOf(unlisted, "more item")} will be listed when you import the file again.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Offer({
  offer: { label, title, kind, text },
  isAccepted,
  onToggle,
}: {
  offer: ImportOfferWire;
  isAccepted: boolean;
  onToggle: () => void;
}) {
  const name = [kind === "section" ? "New section" : blockTitle(label), title].filter(
    (part) => part !== "",
  );
  return (
    <li className="flex flex-col gap-1">
      <label className="flex items-center gap-2 font-medium [overflow-wrap:anywhere]">
        <input type="checkbox" checked={isAccepted} onChange={onToggle} />
        {name.join(": ")}
      </label>
      {text !== "" && (
        <p className="max-h-40 overflow-y-auto whitespace-pre-wrap rounded-md bg-sunken px-3 py-2 text-muted text-xs [overflow-wrap:anywhere]">
          {text}
        </p>
      )}
    </li>
  );
}
