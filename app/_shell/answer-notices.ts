import type { QueryClient } from "@tanstack/react-query";
import type { useRouter } from "next/navigation";
import { preferences } from "@/app/_data/page/preferences";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { storedSession } from "@/app/_data/sessions/session-cache";
import { rereadSession } from "@/app/_data/sessions/session-events";
import { markTitle, sessionTitle } from "@/app/_data/sessions/session-title";
import type { EventWire } from "@/lib/chat/wire/events";

// A visible tab takes the mark away within this time.
const seenWithinMs = 1_500;

export function noticeAnswer(
  event: EventWire & { type: "run-finished" },
  { client, router }: { client: QueryClient; router: ReturnType<typeof useRouter> },
): void {
  if (!document.hidden) return;
  setTimeout(async () => {
    // The mark may arrive later than the event.
    await rereadSession(client, event.sessionId, "facts");
    const session = storedSession(client, event.sessionId);
    if (!document.hidden || !(session?.unread || session?.waiting)) return;
    markTitle(true);
    document.addEventListener("visibilitychange", () => markTitle(false), { once: true });
    if (!preferences.read().notifies || Notification.permission !== "granted") return;
    const about = session.waiting ? "An answer needs your approval" : "Answer ready";
    const options = { body: sessionTitle(session), tag: event.runId };
    const notice = new Notification(about, options);
    notice.onclick = () => {
      window.focus();
      router.push(sessionAddress(session.id));
      notice.close();
    };
  }, seenWithinMs);
}
