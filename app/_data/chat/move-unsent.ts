import { moveAttachments } from "@/app/_data/files/attachments";
import { draftOf, writeDraft } from "./draft-store";
import { changeOutbox } from "./outbox";

/** Takes along what was written in a chat and not sent, when the chat gets another id. */
export function moveUnsent(from: string, to: string): void {
  changeOutbox({ type: "moved", from, to });
  const draft = draftOf(from).read();
  if (draft !== "") writeDraft(to, draft);
  writeDraft(from, "");
  moveAttachments(from, to);
}
