export interface OfferDraft {
  readonly kind: "section" | "text" | "entry" | "setting";
  readonly label: string;
  readonly title: string;
  readonly text: string;
  /** Everything that would be written; `text` is its newest. */
  readonly whole: unknown;
}

export interface DocumentBefore {
  readonly version: number;
  readonly title: string;
  readonly description: string | null;
  /** Its text, where the import replaced the history that held it. */
  readonly content?: string | null;
}

/** Content in all chats before and after an import. */
export type ImportChange =
  | { readonly kind: "section"; readonly blockId: string; readonly label: string }
  | {
      readonly kind: "document";
      readonly blockId: string;
      readonly label: string;
      readonly key: string;
      readonly version: number;
      readonly before: DocumentBefore | null;
    }
  | {
      readonly kind: "setting";
      readonly label: string;
      readonly key: string;
      readonly value: unknown;
    };

export interface ImportConsent {
  /** Asked once per draft, before anything of it is written. */
  mayTake(draft: OfferDraft): boolean;
  taken(change: ImportChange): void;
}
