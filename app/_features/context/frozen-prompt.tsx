"use client";

import { RefreshCw } from "lucide-react";
import { errorSentence } from "@/app/_api/api-error";
import { IconButton } from "@/app/_ui/button";
import { Spinner } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import { Section } from "@/app/_ui/section";
import { PromptText } from "./prompt-text";
import { useRefreshContext } from "./use-context-of";

/** The cached system prompt, exactly as sent. */
export function FrozenPrompt({ sessionId, prompt }: { sessionId: string; prompt: string }) {
  const refresh = useRefreshContext(sessionId);
  return (
    <Section
      title="System prompt (cached)"
      note="Sent to the model before the messages. Refresh to apply changes."
      actions={
        <IconButton
          label="Refresh the system prompt"
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
