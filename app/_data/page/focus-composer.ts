const field = "[data-composer-input]";

export function focusComposer(): boolean {
  const composer = document.querySelector<HTMLTextAreaElement>(field);
  composer?.focus();
  return composer !== null;
}

/** `false` once the person has turned to something else, which must keep the focus. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.matches(field);
}
