"use client";

import { RefreshCw } from "lucide-react";
import { errorSentence } from "@/app/_api/api-error";
import { ErrorNotice } from "@/app/_ui/error-notice";
import { IconButton } from "@/app/_ui/icon-button";
import { Section } from "@/app/_ui/section";
import { Spinner } from "@/app/_ui/spinner";
import { PromptText } from "./prompt-text";
import { useRefreshContext } from "./use-context-of";

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
