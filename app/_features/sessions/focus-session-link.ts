/** Focuses a session's row once the element in its place is gone. */
export function focusSessionLink(sessionId: string): void {
  requestAnimationFrame(() => {
    const rows = document.querySelectorAll<HTMLElement>("[data-session-link]");
    [...rows].find((row) => row.dataset.sessionLink === sessionId)?.focus();
  });
}
