"use client";

import { sessionTitle } from "@/app/_data/sessions/session-title";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { saveFile } from "@/app/_ui/save-file";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { PagePreview, usePagePreview } from "./page-preview";

export interface SavePageDialogProps {
  readonly session: SessionWire;
  readonly onClose: () => void;
}

export function SavePageDialog({ session, onClose }: SavePageDialogProps) {
  const preview = usePagePreview({ sessionId: session.id, as: "page" });
  const { data } = preview.page;
  const save = () => {
    saveFile(`${sessionTitle(session)}.html`, data ?? "");
    onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      title="Save as web page"
      description="One file that opens in any browser, without Grove and without a network. Memory, prompts and other chats are never in it."
      width="lg"
      footer={
        <Button variant="primary" disabled={!data} onClick={save}>
          Save
        </Button>
      }
    >
      <PagePreview of={preview} onStop={onClose} />
    </Dialog>
  );
}
