/** A question of the session page, and what it is about. */
export type SessionDialog =
  | { readonly kind: "fork"; readonly messageId: string }
  | { readonly kind: "receipt"; readonly messageId: string }
  | { readonly kind: "label"; readonly messageId: string; readonly label: string | null }
  | {
      readonly kind: "note";
      readonly from: string;
      readonly to: string | null;
      /** A question to put into the composer once the note is stored. */
      readonly question?: string;
    }
  | { readonly kind: "compact"; readonly focus: string };
