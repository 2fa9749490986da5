"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Folder, LogOut, type LucideIcon, WifiOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { api } from "@/app/_api/api";
import { pagePerson, signInPath } from "@/app/_api/page-person";
import { useConnection, useServerEvent, useServerEvents } from "@/app/_api/server-events";
import { toastError } from "@/app/_api/toast-error";
import { useOutgoing } from "@/app/_data/chat/outbox-delivery";
import { useMemoryEvents } from "@/app/_data/memory/use-blocks";
import { useProposalEvents } from "@/app/_data/memory/use-proposals";
import { askedSearch, deletedProject } from "@/app/_data/page/arrival";
import { shellStore, useShell } from "@/app/_data/page/shell-store";
import { useShellShortcuts } from "@/app/_data/page/shortcuts";
import { useProject, useRestoreProject } from "@/app/_data/projects/use-projects";
import { searchCursor } from "@/app/_data/search/search-cursor";
import { changeStoredSession } from "@/app/_data/sessions/session-cache";
import { useSessionEvents } from "@/app/_data/sessions/session-events";
import { useOpenSessionId, useSession } from "@/app/_data/sessions/use-sessions";
import { useSettingsEvents } from "@/app/_data/settings/use-settings";
import { consentPart } from "@/app/_features/chat/composer/dictation";
import { TypeAhead } from "@/app/_features/search/type-ahead";
import { FileDrop } from "@/app/_message/files/file-drop";
import { OpenedFileViewer } from "@/app/_message/files/file-viewer-dialog";
import { provideMenus } from "@/app/_ui/menu";
import { usePageSettled } from "@/app/_ui/page-phase";
import { inSpace, pageSpace } from "@/app/_ui/page-space";
import { orNothing } from "@/app/_ui/preloadable";
import { ownZone } from "@/app/_ui/reader-day";
import { ReadsOnly } from "@/app/_ui/reads-only";
import { Sheet } from "@/app/_ui/sheet";
import { useStore } from "@/app/_ui/store";
import { toastUndo } from "@/app/_ui/toast";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import { useSpace } from "@/app/_ui/use-space";
import { zoneCookie } from "@/lib/chat/wire/reader";
import { Sidebar } from "./sidebar";

// These parts share most of their code, so they are one script.
const loadPartsAtRest = () => import("./parts-at-rest");
const Palette = dynamic(() => loadPartsAtRest().then((parts) => parts.Palette), {
  loading: () => <TypeAhead />,
});
const HitBar = dynamic(() => import("@/app/_features/search/hit-bar").then((part) => part.HitBar));
const ShortcutsDialog = dynamic(() =>
  import("./shortcuts-dialog").then((part) => part.ShortcutsDialog),
);
const ReleaseNotice = dynamic(
  orNothing(() => loadPartsAtRest().then((parts) => parts.ReleaseNotice)),
  { ssr: false },
);

export function AppShell({
  personName = null,
  children,
}: {
  personName?: string | null;
  children: ReactNode;
}) {
  useServerEvents();
  useSessionEvents();
  useMemoryEvents();
  useProposalEvents();
  useSettingsEvents();
  useShellShortcuts();
  const readsOnly = useProject()?.role === "reader";
  const openId = useOpenSessionId();
  useMarkRead(readsOnly ? null : openId);
  useAnswerNotices();
  useZoneForServer();
  useArrivals();
  const isElsewhere = useOneSpace();
  const isSettled = usePageSettled();
  usePartsSoon(isSettled);
  const isSearching = useStore(searchCursor) !== null;
  const overlay = useShell((state) => state.overlay);
  const sidebarSheet = useShell((state) => state.sidebarSheet);
  return (
    <ReadsOnly value={readsOnly}>
      <div className="relative flex h-dvh overflow-clip">
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-4 focus:py-2 focus:shadow-float"
        >
          Skip to content
        </a>
        <aside
          aria-label="Chats and search"
          className="in-data-[sidebar=closed]:invisible hidden in-data-[sidebar=closed]:w-0 w-68 shrink-0 overflow-hidden border-line border-r in-data-[sidebar=closed]:border-r-0 transition-[width,visibility] duration-steady md:block"
        >
          <div className="h-full w-68">
            <Sidebar personName={personName} />
          </div>
        </aside>
        <Sheet
          open={sidebarSheet}
          onClose={shellStore.closeSidebarSheet}
          label="Chats and search"
          side="left"
        >
          <Sidebar personName={personName} />
        </Sheet>
        <div className="flex min-w-0 flex-1 flex-col">
          <ConnectionBanner />
          <SignedOutBanner />
          <MissingProjectBanner />
          {isElsewhere ? null : children}
        </div>
        <FileDrop />
        <OpenedFileViewer />
        {isSearching && <HitBar />}
        {isSettled && <ReleaseNotice />}
        {overlay === "palette" && <Palette />}
        {overlay === "shortcuts" && <ShortcutsDialog />}
      </div>
    </ReadsOnly>
  );
}

function usePartsSoon(isSettled: boolean): void {
  useEffect(() => {
    if (!isSettled) return;
    loadPartsAtRest().then(
      ({ MenuPanel, ConsentDialog }) => {
        provideMenus(MenuPanel);
        consentPart.provide(ConsentDialog);
      },
      () => undefined,
    );
  }, [isSettled]);
}

function useAnswerNotices(): void {
  const client = useQueryClient();
  const router = useRouter();
  useServerEvent((event) => {
    if (event.type !== "run-finished" || !document.hidden) return;
    void import("./answer-notices").then((part) => part.noticeAnswer(event, { client, router }));
  });
}

function useMarkRead(openSessionId: string | null): void {
  const client = useQueryClient();
  const isUnread = useSession(openSessionId).data?.session.unread === true;
  useEffect(() => {
    if (!openSessionId || !isUnread) return;
    const look = () => {
      if (document.hidden) return;
      changeStoredSession(client, openSessionId, (session) => ({ ...session, unread: false }));
      const params = { sessionId: openSessionId };
      // A failed request leaves the mark for the next read of the chat.
      api("POST /api/sessions/:sessionId/read", { params }).catch(() => undefined);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [client, openSessionId, isUnread]);
}

// A restart or a short drop mends itself before anyone needs to know.
const quietMs = 3_000;

function ConnectionBanner() {
  const isReachable = useStore(pagePerson) === "signed-in";
  const isGone = useIsGone();
  const isLost = useConnection() === "lost" && isReachable && !isGone;
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isLost) return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), quietMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <Banner icon={WifiOff}>
      {isShown && "Can't reach Grove. Your drafts are safe. Reconnecting…"}
    </Banner>
  );
}

/** The status is there before its words, which screen readers then announce. */
function Banner({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <div role="status">
      {children && (
        <p className="flex animate-appear items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-warn text-xs">
          <Icon aria-hidden className="size-3.5 shrink-0" />
          {children}
        </p>
      )}
    </div>
  );
}

/** Leads to the sign-in page: at once if nothing would be lost, otherwise by a link that leaves the page as it is. */
function SignedOutBanner() {
  const person = useStore(pagePerson);
  const unsent = useOutgoing().length;
  useEffect(() => {
    if (person === "signed-out" && unsent === 0 && !holdsText(document))
      location.assign(signInPath(location));
  }, [person, unsent]);
  return (
    <Banner icon={LogOut}>
      {person === "signed-out" ? (
        <span>
          You are signed out. What you typed stays here while you{" "}
          <a href={signInPath(location)} target="_blank" rel="noopener" className="underline">
            sign in in a new tab
          </a>
          .
        </span>
      ) : (
        person === "other-account" &&
        "Somebody else is signed in at this browser now. Reload the page. Your drafts are safe."
      )}
    </Banner>
  );
}

function useIsGone(): boolean {
  const space = useSpace();
  return useProject() === null && space !== null;
}

function MissingProjectBanner() {
  return (
    <Banner icon={Folder}>
      {useIsGone() && (
        <span>
          This project is not open to you any more. What you typed stays here. What you deleted is
          under{" "}
          <a href={inSpace("/settings?section=deleted", null)} className="underline">
            Recently deleted
          </a>
          .
        </span>
      )}
    </Banner>
  );
}

const textFields =
  "textarea, input:not([type]), input[type=text], input[type=search], input[type=url]";

function holdsText(page: Document): boolean {
  const fields = page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(textFields);
  return [...fields].some(({ value, readOnly }) => !readOnly && value.trim() !== "");
}

function useOneSpace(): boolean {
  const isElsewhere = useSpace() !== pageSpace && typeof location !== "undefined";
  useEffect(() => {
    if (isElsewhere) location.reload();
  }, [isElsewhere]);
  return isElsewhere;
}

function useArrivals(): void {
  const isSettled = usePageSettled();
  const { mutate: restore } = useRestoreProject();
  useEffect(() => {
    if (!isSettled) return;
    const search = askedSearch.take();
    if (search !== null) shellStore.openPalette(search);
    if (pageSpace !== null) return;
    const deleted = deletedProject.take();
    if (deleted === null) return;
    const undo = () =>
      restore(deleted, {
        onSuccess: () => leaveDocument(inSpace("/", deleted)),
        onError: toastError,
      });
    toastUndo("Project deleted", undo);
  }, [isSettled, restore]);
}

function useZoneForServer(): void {
  const isSettled = usePageSettled();
  useEffect(() => {
    if (!isSettled) return;
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${zoneCookie}=${encodeURIComponent(ownZone())}; path=/; max-age=31536000; samesite=lax`;
  }, [isSettled]);
}
