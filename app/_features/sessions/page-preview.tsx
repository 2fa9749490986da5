"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pathOf } from "@/app/_api/api";
import { pageFetch } from "@/app/_api/page-person";
import { queryKeys } from "@/app/_api/query-keys";
import { shownLeaf } from "@/app/_data/search/search-addresses";
import { previewedPage } from "@/app/_message/page-file/share-links";
import { ErrorNotice } from "@/app/_ui/notice";
import { PreviewView } from "@/app/_ui/preview/preview-panel";
import { SwitchLine } from "@/app/_ui/toggles";

const choices = [
  { key: "branches", label: "All branches", note: "Otherwise only the messages you see now." },
  { key: "reasoning", label: "Reasoning", note: "Thoughts of the model before its answers." },
  { key: "tools", label: "Tool inputs and outputs", note: "Otherwise only that a tool was used." },
  { key: "files", label: "Files", note: "Otherwise only their names." },
  { key: "title", label: "Title in previews", note: "Messengers show it beside the link." },
] as const;

type PageChoices = Readonly<Record<(typeof choices)[number]["key"], boolean>>;

const nothing: PageChoices = {
  branches: false,
  reasoning: false,
  tools: false,
  files: false,
  title: false,
};

interface SharedParts {
  readonly sessionId: string;
  readonly as: "page" | "share";
  readonly initial?: PageChoices | undefined;
}

export function usePagePreview({ sessionId, as, initial = nothing }: SharedParts) {
  const [chosen, setShown] = useState<PageChoices | null>(null);
  const [leafId] = useState(() => shownLeaf(sessionId));
  const shown = chosen ?? initial;
  const page = useQuery({
    queryKey: queryKeys.pageFile(sessionId, { ...shown, leafId, as }),
    queryFn: ({ signal }) => readPage({ sessionId, as, leafId, shown, signal }),
    gcTime: 0,
  });
  return { as, page, shown, leafId, setShown };
}

interface PagePreviewProps {
  readonly of: ReturnType<typeof usePagePreview>;
  readonly onStop: () => void;
}

export function PagePreview({ of: { as, page, shown, setShown }, onStop }: PagePreviewProps) {
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 sm:gap-x-8">
        {choices.map(({ key, label, note }) =>
          key === "title" && as === "page" ? null : (
            <SwitchLine
              key={key}
              label={label}
              note={note}
              checked={shown[key]}
              onChange={(isShown) => setShown({ ...shown, [key]: isShown })}
            />
          ),
        )}
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
          <PreviewView kind="html" code={page.data} place="large" onStop={onStop}>
            {null}
          </PreviewView>
        )}
      </section>
    </>
  );
}

async function readPage({
  sessionId,
  as,
  leafId: leaf,
  shown,
  signal,
}: Pick<SharedParts, "sessionId" | "as"> & {
  leafId: string | null;
  shown: PageChoices;
  signal: AbortSignal;
}): Promise<string> {
  const query = { as, leaf, ...flags(shown) } as const;
  const path = pathOf("GET /api/sessions/:sessionId/export", { params: { sessionId }, query });
  const response = await pageFetch(path, { signal });
  if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
  const page = await response.text();
  if (as === "share") previewedPage(page);
  return page;
}

function flags(shown: PageChoices) {
  return Object.fromEntries(
    Object.entries(shown).map(([key, isShown]) => [key, isShown ? "1" : "0"]),
  );
}
