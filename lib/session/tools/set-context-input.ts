/** What a model sends to `set_context`. */
export interface SetContextInput {
  readonly label: string;
  readonly content: string;
  readonly action?: "replace" | "append" | undefined;
  readonly metadata?:
    | { readonly title?: string | undefined; readonly description?: string | undefined }
    | undefined;
}
