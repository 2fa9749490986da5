const key = "grove-joining";
const page = /^\/join\/[\w-]+$/;

/** The invitation that somebody opened who has no account yet: they see it once they have made one, in any tab. */
export const joining = {
  remember(next: string | null): void {
    if (next !== null && page.test(next)) localStorage.setItem(key, next);
  },
  forget(): void {
    localStorage.removeItem(key);
  },
  page(): string | null {
    const kept = localStorage.getItem(key);
    return kept !== null && page.test(kept) ? kept : null;
  },
};
