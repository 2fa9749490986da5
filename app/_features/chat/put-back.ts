import { focusComposer } from "@/app/_shell/focus-composer";
import { draftOf, writeDraft } from "./draft-store";

/** Drafts before and after the last insertion, by session. */
const puts = new Map<string, { readonly before: string; readonly after: string }>();

/** Appends text to a session's draft. */
export function putBack(sessionId: string, text: string): void {
  const before = draftOf(sessionId).read();
  const after = before.trim() === "" ? text : `${before}\n\n${text}`;
  writeDraft(sessionId, after);
  puts.set(sessionId, { before, after });
  focusComposer();
}

/** Removes the last insertion, unless the draft has changed since. */
export function takeOut(sessionId: string): void {
  const put = puts.get(sessionId);
  puts.delete(sessionId);
  if (put && draftOf(sessionId).read() === put.after) writeDraft(sessionId, put.before);
}
