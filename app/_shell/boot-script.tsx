// Keys and attributes are those of `shell-store.ts` and `theme.ts`, which this runs before.
const script = `(() => {
  const root = document.documentElement.dataset;
  try {
    root.theme = localStorage.getItem("grove.theme") || "system";
    const shell = JSON.parse(localStorage.getItem("grove.shell") || "{}");
    root.sidebar = shell.sidebarOpen === false ? "closed" : "open";
    root.drawer = shell.drawerOpen === true ? "open" : "closed";
  } catch {}
})()`;

/** Sets theme and columns before the first paint, so that neither flashes nor shifts. */
export function BootScript({ nonce }: { nonce: string | undefined }) {
  return (
    // The browser hides the nonce from the document, so what React finds there never matches.
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant that has to run before React
      dangerouslySetInnerHTML={{ __html: script }}
    />
  );
}
