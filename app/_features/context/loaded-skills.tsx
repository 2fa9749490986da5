"use client";

import { errorSentence } from "@/app/_api/api-error";
import { useSkillLoading } from "@/app/_data/context/use-context-of";
import { Button } from "@/app/_ui/button";
import { formatTokens } from "@/app/_ui/format-amount";
import { ErrorNotice } from "@/app/_ui/notice";
import type { ContextWire } from "@/lib/chat/wire/context";

export function LoadedSkills({ sessionId, context }: { sessionId: string; context: ContextWire }) {
  const loading = useSkillLoading(sessionId);
  if (context.loadedSkills.length === 0) {
    return <p className="text-faint text-sm">No skills loaded.</p>;
  }
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line bg-raised px-3.5">
        {context.loadedSkills.map(({ label, key }) => {
          const tokens = tokensOf(context, key);
          const isUnloading = loading.isPending && loading.variables.key === key;
          return (
            <li key={`${label} ${key}`} className="flex items-center gap-3 py-2">
              <p className="min-w-0 flex-1 truncate font-medium text-sm">{key}</p>
              {tokens !== null && (
                <span className="text-faint text-xs tabular-nums">{formatTokens(tokens)}</span>
              )}
              <Button
                size="sm"
                variant="ghost"
                busy={isUnloading}
                aria-label={`Unload ${key}`}
                onClick={() => loading.mutate({ label, key, action: "unload" })}
              >
                Unload
              </Button>
            </li>
          );
        })}
      </ul>
      {loading.isError && <ErrorNotice>{errorSentence(loading.error)}</ErrorNotice>}
    </>
  );
}

function tokensOf({ gauge }: ContextWire, key: string): number | null {
  const part = gauge.parts.find(({ source, label }) => source === "skills" && label === key);
  return part?.tokens ?? null;
}
