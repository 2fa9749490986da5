"use client";

import { BookOpenCheck } from "lucide-react";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { formatTokens } from "@/app/_ui/format-amount";
import { RelativeTime } from "@/app/_ui/relative-time";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import type { EntryActions } from "./use-entry-actions";

export interface SourceEntryRowProps {
  entry: EntryDocumentWire;
  isLoadable: boolean;
  actions: EntryActions;
  onOpen: () => void;
}

export function SourceEntryRow({ entry, isLoadable, actions, onOpen }: SourceEntryRowProps) {
  const { key, title, description, problem, tokens, updatedAt, loaded } = entry;
  return (
    <li className="flex items-start gap-1 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium text-sm">
          {problem === null ? (
            <button
              type="button"
              onClick={onOpen}
              className="min-w-0 truncate rounded-xs text-left underline-offset-4 hover:underline"
            >
              {title}
            </button>
          ) : (
            <span className="min-w-0 truncate">{key}</span>
          )}
          {loaded && (
            <Badge tone="accent">
              <BookOpenCheck aria-hidden /> Loaded
            </Badge>
          )}
        </p>
        {description && <p className="line-clamp-2 text-muted text-xs">{description}</p>}
        {problem === null ? (
          <p className="text-faint text-xs">
            {formatTokens(tokens)} · <RelativeTime at={updatedAt} />
          </p>
        ) : (
          <p className="text-danger text-xs">Cannot be loaded: {problem}</p>
        )}
      </div>
      {isLoadable && problem === null && (
        <Button
          size="sm"
          variant="ghost"
          busy={actions.loadingKey === key}
          aria-label={`${loaded ? "Unload" : "Load"} ${title}`}
          onClick={() => actions.setLoaded(entry, !loaded)}
        >
          {loaded ? "Unload" : "Load"}
        </Button>
      )}
    </li>
  );
}
