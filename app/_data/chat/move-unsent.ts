import { askAgain, takeAsked } from "@/app/_data/assistants/asked-assistant";
import { moveAttachments } from "@/app/_data/files/attachments";
import { moveTogether } from "@/app/_data/models/use-models";
import { draftOf, writeDraft } from "./draft-store";
import { changeOutbox } from "./outbox";

export function moveUnsent(from: string, to: string): void {
  changeOutbox({ type: "moved", from, to });
  const draft = draftOf(from).read();
  if (draft !== "") writeDraft(to, draft);
  writeDraft(from, "");
  askAgain(to, takeAsked(from) ?? undefined);
  moveTogether(from, to);
  moveAttachments(from, to);
}
