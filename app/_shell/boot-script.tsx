// Runs before `shell-store.ts` and `preferences.ts`, with the keys of `store.ts`.
const script = `(() => {
  const root = document.documentElement.dataset;
  try {
    const stored = (name) => JSON.parse(localStorage.getItem(\`grove:\${root.owner || "local"}:\${name}\`) || "null");
    root.theme = stored("theme") || "system";
    const preferred = stored("preferences") || {};
    root.textSize = preferred.textSize || "normal";
    root.width = preferred.readingWidth || "normal";
    const shell = stored("shell") || {};
    root.sidebar = shell.sidebarOpen === false ? "closed" : "open";
    root.drawer = shell.drawerOpen === true ? "open" : "closed";
  } catch {}
})()`;

/** Sets theme, text size and columns before the first paint, so that neither flashes nor shifts. */
export function BootScript({ nonce }: { nonce: string | undefined }) {
  return (
    // The browser hides the nonce, so React never finds a match.
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant that has to run before React
      dangerouslySetInnerHTML={{ __html: script }}
    />
  );
}
