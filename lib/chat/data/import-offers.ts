import { createHash } from "node:crypto";
import type { ImportChange, ImportConsent, OfferDraft } from "grove-session/ports";
import type { ImportChangeWire, ImportOfferWire } from "@/lib/chat/wire/data";

/** An import of the same file lists the next offers once these were taken. */
const mostOffers = 5_000;
const mostCharacters = 4_000_000;

export class ImportOffers implements ImportConsent {
  readonly offers: ImportOfferWire[] = [];
  readonly changes: ImportChangeWire[] = [];
  readonly #accepts: (offerId: string) => boolean;
  #count = 0;
  #characters = 0;

  constructor(accepts: (offerId: string) => boolean) {
    this.#accepts = accepts;
  }

  get count(): number {
    return this.#count;
  }

  mayTake(draft: OfferDraft): boolean {
    const id = offerId(draft);
    if (this.#accepts(id)) return true;
    this.#count++;
    const { kind, label, title, text } = draft;
    const isListed =
      this.offers.length < mostOffers &&
      (this.offers.length === 0 || this.#characters + text.length <= mostCharacters);
    if (!isListed) return false;
    this.#characters += text.length;
    this.offers.push({ id, kind, label, title, text });
    return false;
  }

  taken(change: ImportChange): void {
    this.changes.push(change);
  }
}

/** The hash lets the person accept exactly the shown offer. */
export function offerId({ kind, label, title, whole }: OfferDraft): string {
  const named = JSON.stringify([kind, label, title, whole]);
  return createHash("sha256").update(named).digest("base64url");
}
