"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pathOf } from "@/app/_api/api";
import { pageFetch } from "@/app/_api/page-person";
import { queryKeys } from "@/app/_api/query-keys";
import { shownLeaf } from "@/app/_data/search/search-addresses";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { ErrorNotice } from "@/app/_ui/notice";
import { PreviewView } from "@/app/_ui/preview/preview-panel";
import { saveFile } from "@/app/_ui/save-file";
import { SwitchLine } from "@/app/_ui/toggles";
import type { SessionWire } from "@/lib/chat/wire/sessions";

const choices = [
  { key: "branches", label: "All branches", note: "Otherwise only the messages you see now." },
  { key: "reasoning", label: "Reasoning", note: "Thoughts of the model before its answers." },
  { key: "tools", label: "Tool inputs and outputs", note: "Otherwise only that a tool was used." },
  { key: "files", label: "Files", note: "Otherwise only their names." },
] as const;

type PageChoices = Readonly<Record<(typeof choices)[number]["key"], boolean>>;

export interface SavePageDialogProps {
  readonly session: SessionWire;
  readonly onClose: () => void;
}

/** Saves the text of the preview, and nothing else. */
export function SavePageDialog({ session, onClose }: SavePageDialogProps) {
  const [shown, setShown] = useState<PageChoices>({
    branches: false,
    reasoning: false,
    tools: false,
    files: false,
  });
  const [leaf] = useState(() => shownLeaf(session.id));
  const page = useQuery({
    queryKey: queryKeys.pageFile(session.id, { ...shown, leaf }),
    queryFn: ({ signal }) => readPage({ sessionId: session.id, leaf, shown, signal }),
    gcTime: 0,
  });
  const save = () => {
    saveFile(`${sessionTitle(session)}.html`, page.data ?? "");
    onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      title="Save as web page"
      description="One file that opens in any browser, without Grove and without a network. Memory, prompts and other chats are never in it."
      width="lg"
      footer={
        <Button variant="primary" disabled={!page.data} onClick={save}>
          Save
        </Button>
      }
    >
      <div className="grid gap-3 sm:grid-cols-2 sm:gap-x-8">
        {choices.map(({ key, label, note }) => (
          <SwitchLine
            key={key}
            label={label}
            note={note}
            checked={shown[key]}
            onChange={(isShown) => setShown({ ...shown, [key]: isShown })}
          />
        ))}
      </div>
      <section
        aria-label="Preview"
        aria-busy={page.isPending}
        className="preview-large mt-4 h-96 overflow-hidden rounded-xl border border-line"
      >
        {page.error && (
          <ErrorNotice onRetry={() => void page.refetch()}>
            The chat could not be read. {page.error.message}
          </ErrorNotice>
        )}
        {page.data !== undefined && (
          <PreviewView kind="html" code={page.data} place="large" onStop={onClose}>
            {null}
          </PreviewView>
        )}
      </section>
    </Dialog>
  );
}

async function readPage({
  sessionId,
  leaf,
  shown,
  signal,
}: {
  sessionId: string;
  leaf: string | null;
  shown: PageChoices;
  signal: AbortSignal;
}): Promise<string> {
  const query = { as: "page", leaf, ...flags(shown) } as const;
  const path = pathOf("GET /api/sessions/:sessionId/export", { params: { sessionId }, query });
  const response = await pageFetch(path, { signal });
  if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
  return response.text();
}

function flags(shown: PageChoices) {
  return Object.fromEntries(
    Object.entries(shown).map(([key, isShown]) => [key, isShown ? "1" : "0"]),
  );
}
