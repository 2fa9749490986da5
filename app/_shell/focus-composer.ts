/** `false` when the page has no field marked `data-composer-input`. */
export function focusComposer(): boolean {
  const composer = document.querySelector<HTMLTextAreaElement>("[data-composer-input]");
  composer?.focus();
  return composer !== null;
}
