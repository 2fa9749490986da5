import { askAgain, takeAsked } from "@/app/_data/assistants/asked-assistant";
import { moveAttachments } from "@/app/_data/files/attachments";
import { moveTogether } from "@/app/_data/models/use-models";
import { pageSpace, storedInSpace } from "@/app/_ui/page-space";
import { readStored, writeStored } from "@/app/_ui/store";
import { draftOf, writeDraft } from "./draft-store";
import { changeOutbox, passUnsent } from "./outbox";

export function moveUnsent(from: string, to: string): void {
  changeOutbox({ type: "moved", from, to });
  const draft = draftOf(from).read();
  if (draft !== "") writeDraft(to, draft);
  writeDraft(from, "");
  askAgain(to, takeAsked(from) ?? undefined);
  moveTogether(from, to);
  moveAttachments(from, to);
}

export function carryUnsent(sessionId: string, space: string | null): void {
  passUnsent(sessionId, [pageSpace, space]);
  const draft = draftOf(sessionId).read();
  if (draft === "") return;
  const there = readStored(draftName(sessionId, space));
  const joined = typeof there === "string" && there !== draft ? `${there}\n\n${draft}` : draft;
  if (writeStored(draftName(sessionId, space), joined)) writeDraft(sessionId, "");
}

export function carryUnsentBack(sessionId: string, space: string | null): void {
  passUnsent(sessionId, [space, pageSpace]);
  const draft = readStored(draftName(sessionId, space));
  if (typeof draft !== "string" || draftOf(sessionId).read() !== "") return;
  writeDraft(sessionId, draft);
  writeStored(draftName(sessionId, space), null);
}

function draftName(sessionId: string, space: string | null): string {
  return storedInSpace(`draft:${sessionId}`, space);
}
