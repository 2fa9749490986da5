import { Component, type ReactNode, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { toast } from "sonner";
import { settingsPagesFor } from "@/app/_features/settings/settings-sections";
import { UsageView } from "@/app/_features/usage/usage-view";
import { rangeOf } from "@/app/_features/usage/usage-words";
import { AppShell } from "@/app/_shell/app-shell";
import { Providers } from "@/app/_shell/providers";
import { NewChatPage } from "@/app/_shell/session/new-chat-page";
import { SessionPage } from "@/app/_shell/session/session-page";
import { Workspace } from "@/app/_shell/workspace";
import NotFound from "@/app/not-found";
import { ComparePage } from "@/app/s/[sessionId]/compare/compare-page";
import { SettingsView } from "@/app/settings/settings-view";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { MissingPageError, useMountedAddress } from "./navigation";
import { siteAddress } from "./page-environment";

export { tabId } from "@/app/_api/page-person";

/** Renders what Next would at the address of the document. Returns what takes it away. */
export function mount(page: TranscriptWire | null): () => void {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  // Effects run at once, so that the page listens to keys before anybody presses one.
  flushSync(() => root.render(<Site page={page} />));
  return () => {
    // A toaster shows the toasts of those before it.
    toast.dismiss();
    root.unmount();
  };
}
/** Next sets them before a page takes its own. */
const titles: Readonly<Record<string, string>> = {
  "/settings": "Settings · Grove",
  "/usage": "Usage · Grove",
};

function Site({ page }: { page: TranscriptWire | null }) {
  const address = new URL(useMountedAddress(), siteAddress);
  const { pathname } = address;
  // The server renders into the address that is loaded; a page that is gone to asks for its own.
  const [loaded, setLoaded] = useState({ pathname, page });
  if (loaded.pathname !== pathname) setLoaded({ pathname, page: null });
  useLayoutEffect(() => {
    document.title = titles[pathname] ?? "Grove";
  }, [pathname]);
  return (
    <Providers>
      <AppShell>
        <Missing key={pathname}>
          <PageAt address={address} page={loaded.page} />
        </Missing>
      </AppShell>
    </Providers>
  );
}

function withoutSpace(pathname: string): string {
  return pathname.replace(/^\/p\/[^/]+/, "") || "/";
}

class Missing extends Component<{ children: ReactNode }, { isMissing: boolean }> {
  override state = { isMissing: false };

  static getDerivedStateFromError(error: unknown) {
    if (error instanceof MissingPageError) return { isMissing: true };
    throw error;
  }

  override render() {
    return this.state.isMissing ? <NotFound /> : this.props.children;
  }
}

/** Chooses the page of an address, as folders of `page.tsx` do. */
function PageAt({ address, page }: { address: URL; page: TranscriptWire | null }) {
  const { pathname, searchParams } = address;
  const [, first, sessionId, part] = withoutSpace(pathname).split("/").map(decodeURIComponent);
  if (first === "s" && sessionId) {
    if (part !== "compare")
      return <SessionPage key={sessionId} sessionId={sessionId} page={page} />;
    const side = (name: string) => searchParams.get(name) ?? "";
    return <ComparePage sessionId={sessionId} left={side("left")} right={side("right")} />;
  }
  if (first === "settings")
    return (
      <Workspace sessionId={null} heading="Settings">
        <SettingsView
          asked={searchParams.get("section") ?? undefined}
          pages={settingsPagesFor(null)}
        />
      </Workspace>
    );
  if (first === "usage")
    return (
      <Workspace sessionId={null} heading="Usage">
        <UsageView range={rangeOf(searchParams.get("range") ?? undefined)} />
      </Workspace>
    );
  return <NewChatPage />;
}
