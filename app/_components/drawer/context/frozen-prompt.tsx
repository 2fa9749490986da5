"use client";

import { RefreshCw } from "lucide-react";
import { Section } from "@/app/_components/drawer/section";
import { ErrorNotice } from "@/app/_components/ui/error-notice";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Spinner } from "@/app/_components/ui/spinner";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { useRefreshContext } from "@/app/_hooks/api/use-context-of";
import { promptSections } from "./prompt-sections";

/** The system prompt this session keeps, exactly as the model gets it. */
export function FrozenPrompt({ sessionId, prompt }: { sessionId: string; prompt: string }) {
  const refresh = useRefreshContext(sessionId);
  return (
    <Section
      title="Frozen prompt"
      note="Exactly what the model reads before the messages. It stays the same, and so cheap, until you refresh it."
      actions={
        <IconButton
          label="Refresh the prompt from the blocks"
          disabled={refresh.isPending}
          onClick={() => refresh.mutate()}
        >
          {refresh.isPending ? <Spinner /> : <RefreshCw aria-hidden />}
        </IconButton>
      }
    >
      {refresh.isError && <ErrorNotice>{errorSentence(refresh.error)}</ErrorNotice>}
      {prompt === "" && <p className="text-faint text-sm">The prompt is empty.</p>}
      <div className="flex flex-col gap-1.5">
        {promptSections(prompt).map((section, at) => (
          <details
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their order, and titles may repeat
            key={at}
            className="group rounded-lg border border-line bg-raised"
          >
            <summary className="flex cursor-pointer list-none items-baseline gap-2 rounded-lg px-3.5 py-2 text-sm -outline-offset-2 marker:hidden">
              <span className="shrink-0 font-medium font-mono text-xs">
                {section.title ?? "Text"}
              </span>
              <span className="min-w-0 truncate text-faint text-xs">{section.note}</span>
            </summary>
            <pre className="whitespace-pre-wrap border-line border-t px-3.5 py-2.5 font-mono text-xs [overflow-wrap:anywhere]">
              {section.source}
            </pre>
          </details>
        ))}
      </div>
    </Section>
  );
}
