"use client";

import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import { blockTitle } from "@/app/_data/memory/block-words";
import { Button } from "@/app/_ui/button";
import { ImportButton } from "@/app/_ui/file-inputs";
import { countOf, formatShare } from "@/app/_ui/format-amount";
import { SettingsLine } from "@/app/_ui/settings-section";
import type { ImportReportWire } from "@/lib/chat/wire/data";
import { HistoryDialog } from "./history-dialog";
import { ImportOffersDialog } from "./import-offers-dialog";
import { useImport, useImportOffers, useUndoImport } from "./use-data";
import { useHistoryImport } from "./use-history-import";

export function ImportLine() {
  const [share, setShare] = useState(0);
  const importing = useImport(setShare);
  const offering = useImportOffers();
  const history = useHistoryImport();
  const ask = (file: File) => {
    importing.reset();
    offering.mutate(file, {
      onSuccess: ({ offers }) => {
        if (offers.length === 0) importing.mutate({ file, accepted: [] });
      },
    });
  };
  const offered = offering.data?.offers ?? [];
  const file = offering.variables;
  const choose = async (files: readonly File[]) => {
    setShare(0);
    const [file] = files;
    if (file && files.length === 1 && (await isGroveExport(file))) ask(file);
    else if (file) history.read(files);
  };
  return (
    <div>
      <SettingsLine
        title="Import"
        note="From Grove, ChatGPT, Claude, Open WebUI, LibreChat, the AI SDK or Markdown. Existing data is kept; duplicates are skipped."
      >
        <ImportButton
          accept=".jsonl,.ndjson,.zip,.json,.md,.markdown"
          busy={importing.isPending || offering.isPending}
          onFiles={(files) => void choose([...(files ?? [])])}
        >
          Import a file
        </ImportButton>
      </SettingsLine>
      <div role="status" className="px-4 text-sm empty:hidden [&>*]:pb-3">
        {importing.isPending && (
          <p className="text-muted">
            {share < 1 ? `Importing… ${formatShare(share)}` : "Finishing import…"}
          </p>
        )}
        {importing.data && <Report report={importing.data} />}
      </div>
      <Failure of={importing} className="mx-4 mb-3" />
      <Failure of={offering} className="mx-4 mb-3" />
      {offering.data && file && offered.length > 0 && importing.isIdle && (
        <ImportOffersDialog
          offers={offered}
          unlisted={offering.data.offerCount - offered.length}
          onImport={(accepted) => importing.mutate({ file, accepted })}
          onClose={() => offering.reset()}
        />
      )}
      {history.state && <HistoryDialog history={history} />}
    </div>
  );
}

/** Other products export no JSON lines. */
async function isGroveExport(file: File): Promise<boolean> {
  if (/\.(jsonl|ndjson)$/i.test(file.name)) return true;
  return (await file.slice(0, 200).text()).includes('"type":"grove-export"');
}

type NamedDocument = ImportReportWire["offers"][number] | ImportReportWire["changes"][number];

function namesOf(items: readonly NamedDocument[]): string[] {
  return items.map((item) => {
    const name = "title" in item ? item.title : item.kind === "document" ? item.key : "";
    const label = blockTitle(item.label);
    return name === "" ? label : `${label}: ${name}`;
  });
}

function AddedToAllChats({ changes }: Pick<ImportReportWire, "changes">) {
  const undoing = useUndoImport();
  const { data } = undoing;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <p className="[overflow-wrap:anywhere]">
          Added to all chats: {namesOf(changes).join(", ")}.
        </p>
        {!data && (
          <Button size="sm" busy={undoing.isPending} onClick={() => undoing.mutate(changes)}>
            Undo
          </Button>
        )}
      </div>
      {data && (
        <p>
          {data.left.length === 0
            ? "Removed from all chats again."
            : `Undone, except what changed since: ${data.left.map(blockTitle).join(", ")}.`}
        </p>
      )}
      <Failure of={undoing} />
    </>
  );
}

function Report({
  report: { sessions, documents, problems, problemCount, changes, offers, offerCount },
}: {
  report: ImportReportWire;
}) {
  const facts = [
    `${countOf(sessions.imported, "chat")} imported`,
    sessions.already > 0 && `${sessions.already} already here`,
    sessions.restored > 0 && `${sessions.restored} restored`,
    sessions.failed > 0 && `${sessions.failed} skipped`,
    documents.imported > 0 && `${countOf(documents.imported, "memory document")} imported`,
    documents.left > 0 && `${countOf(documents.left, "memory document")} kept as edited here`,
  ].filter((fact) => fact !== false);
  return (
    <>
      <p>{facts.join(", ")}.</p>
      {changes.length > 0 && <AddedToAllChats key={namesOf(changes).join()} changes={changes} />}
      {offerCount > 0 && (
        <p className="text-muted">
          Left out of all chats: {namesOf(offers).join(", ")}
          {offerCount > offers.length && `, and ${offerCount - offers.length} more`}.
        </p>
      )}
      {problems.length > 0 && (
        <ul aria-label="Import problems" className="flex flex-col gap-1 text-muted text-xs">
          {problems.map(({ line, field, message }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: problems keep their order, and may be alike
            <li key={index} className="[overflow-wrap:anywhere]">
              <span className="font-medium text-ink">
                Line {line}
                {field && `, ${field}`}:
              </span>{" "}
              {message}
            </li>
          ))}
          {problemCount > problems.length && <li>And {problemCount - problems.length} more.</li>}
        </ul>
      )}
    </>
  );
}
