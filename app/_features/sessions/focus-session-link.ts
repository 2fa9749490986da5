/** Puts the focus on a session's row, after what stood in its place is gone from the page. */
export function focusSessionLink(sessionId: string): void {
  requestAnimationFrame(() => {
    const rows = document.querySelectorAll<HTMLElement>("[data-session-link]");
    [...rows].find((row) => row.dataset.sessionLink === sessionId)?.focus();
  });
}
