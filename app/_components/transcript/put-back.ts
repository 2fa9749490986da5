import { focusComposer } from "@/app/_components/shell/focus-composer";
import { draftStore } from "@/app/_hooks/chat/draft-store";

/** Puts text into a session's composer, after what is being written there, which is never thrown away for it. */
export function putBack(sessionId: string, text: string): void {
  const draft = draftStore.read(sessionId);
  draftStore.write(sessionId, draft.trim() === "" ? text : `${draft}\n\n${text}`);
  focusComposer();
}
