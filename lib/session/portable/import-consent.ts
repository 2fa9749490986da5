/** Something that an import would write into all chats. */
export interface OfferDraft {
  readonly kind: "section" | "text" | "entry" | "setting";
  /** Of the section, or the kind of setting. */
  readonly label: string;
  readonly title: string;
  /** As it would be after the import. */
  readonly text: string;
  /** All that would be written; `text` is the newest of it. */
  readonly whole: unknown;
}

/** A document before an import wrote it. */
export interface DocumentBefore {
  readonly version: number;
  readonly title: string;
  readonly description: string | null;
  /** Its text, where the import replaced the history that held it. */
  readonly content?: string | null;
}

/** Names what an import has written into all chats, and what was there before. */
export type ImportChange =
  | { readonly kind: "section"; readonly blockId: string; readonly label: string }
  | {
      readonly kind: "document";
      readonly blockId: string;
      readonly label: string;
      readonly key: string;
      readonly version: number;
      /** `null`: there was none. */
      readonly before: DocumentBefore | null;
    }
  | {
      readonly kind: "setting";
      readonly label: string;
      readonly key: string;
      readonly value: unknown;
    };

/** The person's word about what an import brings into all chats. */
export interface ImportConsent {
  /** Called once for each, before anything of it is written. */
  mayTake(draft: OfferDraft): boolean;
  taken(change: ImportChange): void;
}
