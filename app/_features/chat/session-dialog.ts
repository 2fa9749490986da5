export type SessionDialog =
  | { readonly kind: "fork"; readonly messageId: string }
  | { readonly kind: "receipt"; readonly messageId: string }
  | { readonly kind: "label"; readonly messageId: string; readonly label: string | null }
  | { readonly kind: "note"; readonly from: string; readonly to: string | null }
  | { readonly kind: "compact"; readonly focus: string };
