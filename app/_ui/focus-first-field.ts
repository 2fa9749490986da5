/**
 * Where the focus begins in a dialog that opens: in its first field, and in the dialog itself where there is none or where
 * a field would raise the keyboard of a phone.
 */
export function focusFirstField(event: Event): void {
  const dialog = event.target;
  if (!(dialog instanceof HTMLElement) || dialog.contains(document.activeElement)) return;
  const field = dialog.querySelector<HTMLElement>("input:not([type=hidden]), textarea");
  const isTouched = window.matchMedia("(pointer: coarse)").matches;
  event.preventDefault();
  (field && !isTouched ? field : dialog).focus();
}
