"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queryKeys } from "@/app/_api/query-keys";
import { toastError } from "@/app/_api/toast-error";
import { useChangeSession } from "@/app/_data/sessions/use-session-mutations";
import { useSession } from "@/app/_data/sessions/use-sessions";
import { DiffView } from "@/app/_message/memory/diff-view";
import { lineDiff } from "@/app/_message/memory/line-diff";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { isolated } from "@/app/_ui/isolated";
import { Writes } from "@/app/_ui/reads-only";
import { Section } from "@/app/_ui/section";
import { assistantProblem, readAssistant } from "@/lib/chat/wire/assistants";
import type { AssistantUseWire } from "@/lib/chat/wire/context";
import type { ChatParameters } from "@/lib/chat/wire/request-fields";

export interface AssistantUseProps {
  readonly sessionId: string;
  readonly assistant: AssistantUseWire;
}

export function AssistantUse({ sessionId, assistant }: AssistantUseProps) {
  const { name, version, text, newest, missing } = assistant;
  const client = useQueryClient();
  const { data } = useSession(sessionId);
  const changing = useChangeSession();
  const newer = newest !== null && newest.version > version ? newest : null;
  const isReadable = newer !== null && assistantProblem(newer.text) === null;

  function update() {
    if (!newer) return;
    const change = changeTo(assistant, newer, data?.session.parameters ?? {});
    changing.mutate(
      { id: sessionId, ...change },
      {
        onError: toastError,
        onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.contexts(sessionId) }),
      },
    );
  }

  return (
    <Section
      title={`Assistant: ${isolated(name)}, version ${version}`}
      note={noteOn(assistant)}
      actions={
        isReadable && (
          <Writes>
            <Button size="sm" busy={changing.isPending} onClick={update}>
              Update
            </Button>
          </Writes>
        )
      }
    >
      {newer && <Changes before={text} after={newer.text} />}
      {missing.length > 0 && (
        <p className="wrap-anywhere text-sm text-warn">{missingWords(name, missing)}</p>
      )}
    </Section>
  );
}

export function missingWords(name: string, missing: readonly string[]): string {
  return `${isolated(name)} asks for what is not available: ${missing.map(isolated).join(", ")}.`;
}

function noteOn({ version, newest }: AssistantUseWire): string {
  if (newest === null) return `It was deleted. This chat goes on with version ${version}.`;
  if (newest.version > version)
    return `There is a version ${newest.version}. This chat takes it up when you update.`;
  return "Its instructions follow the sections of your memory.";
}

function Changes({ before, after }: { before: string; after: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Fold isOpen={isOpen} onToggle={setIsOpen} summary="Show changes">
      <div className="mt-1.5">
        <DiffView lines={lineDiff(before, after)} label="Changes of the assistant" />
      </div>
    </Fold>
  );
}

export function changeTo(
  { key, name, text }: Pick<AssistantUseWire, "key" | "name" | "text">,
  newer: { readonly version: number; readonly text: string },
  { web }: ChatParameters,
) {
  const before = assistantProblem(text) === null ? readAssistant(text, name) : null;
  const after = readAssistant(newer.text, name);
  const isOther = JSON.stringify(before?.parameters) !== JSON.stringify(after.parameters);
  return {
    assistant: { key, version: newer.version, name: after.name },
    ...(after.model !== null && after.model !== before?.model && { model: after.model }),
    ...(isOther && { parameters: { ...after.parameters, ...(web !== undefined && { web }) } }),
  };
}
