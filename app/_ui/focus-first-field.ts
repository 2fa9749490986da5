/**
 * Focuses a dialog's first field, or the dialog itself where it has none or where a field would raise a phone's
 * keyboard.
 */
export function focusFirstField(event: Event): void {
  const dialog = event.target;
  if (!(dialog instanceof HTMLElement) || dialog.contains(document.activeElement)) return;
  const field = dialog.querySelector<HTMLElement>("input:not([type=hidden]), textarea");
  const isTouched = window.matchMedia("(pointer: coarse)").matches;
  event.preventDefault();
  (field && !isTouched ? field : dialog).focus();
}
