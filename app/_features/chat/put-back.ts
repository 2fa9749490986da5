import { focusComposer } from "@/app/_shell/focus-composer";
import { draftOf, writeDraft } from "./draft-store";

/** Drafts before and after the last text was put there, by session. */
const puts = new Map<string, { readonly before: string; readonly after: string }>();

/** Puts text into a session's composer, after what is being written there, which is never thrown away for it. */
export function putBack(sessionId: string, text: string): void {
  const before = draftOf(sessionId).read();
  const after = before.trim() === "" ? text : `${before}\n\n${text}`;
  writeDraft(sessionId, after);
  puts.set(sessionId, { before, after });
  focusComposer();
}

/** Takes the text that was last put there out again, unless it has been changed since. */
export function takeOut(sessionId: string): void {
  const put = puts.get(sessionId);
  puts.delete(sessionId);
  if (put && draftOf(sessionId).read() === put.after) writeDraft(sessionId, put.before);
}
