/** Puts the focus on the first field of a form that is marked as wrong, once the marks are on the page. */
export function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus());
}
