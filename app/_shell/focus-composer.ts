/** Focuses the field marked `data-composer-input`; `false` when the page has none. */
export function focusComposer(): boolean {
  const composer = document.querySelector<HTMLTextAreaElement>("[data-composer-input]");
  composer?.focus();
  return composer !== null;
}
