import { moveAttachments } from "@/app/_data/files/attachments";
import { draftOf, writeDraft } from "./draft-store";
import { changeOutbox } from "./outbox";

export function moveUnsent(from: string, to: string): void {
  changeOutbox({ type: "moved", from, to });
  const draft = draftOf(from).read();
  if (draft !== "") writeDraft(to, draft);
  writeDraft(from, "");
  moveAttachments(from, to);
}
