"use client";

import { RefreshCw } from "lucide-react";
import { Section } from "@/app/_components/drawer/section";
import { ErrorNotice } from "@/app/_components/ui/error-notice";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Spinner } from "@/app/_components/ui/spinner";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { useRefreshContext } from "@/app/_hooks/api/use-context-of";
import { PromptText } from "./prompt-text";

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
      <PromptText prompt={prompt} />
    </Section>
  );
}
