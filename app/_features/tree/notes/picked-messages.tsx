"use client";

import { countOf, formatTokens } from "@/app/_ui/format-amount";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import type { NoteSourceWire } from "@/lib/chat/wire/branches";

export interface PickedMessagesProps {
  readonly messages: NoteSourceWire["messages"];
  readonly picked: ReadonlySet<string>;
  readonly onChange: (picked: ReadonlySet<string>) => void;
}

export function PickedMessages({ messages, picked, onChange }: PickedMessagesProps) {
  const chosen = messages.filter(({ id }) => picked.has(id));
  const tokens = chosen.reduce((sum, message) => sum + message.tokens, 0);

  function toggle(id: string) {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">Messages to carry over</legend>
      <ul
        {...scrollable}
        aria-label="Messages of the branch you left"
        className="max-h-72 overflow-y-auto rounded-md border border-line"
      >
        {messages.map(({ id, role, preview, tokens: size }) => (
          <li key={id} className="border-line not-first:border-t">
            <label className="flex min-h-10 pointer-coarse:min-h-11 cursor-pointer items-center gap-3 px-3 py-1.5 text-sm hover:bg-hover">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={picked.has(id)}
                onChange={() => toggle(id)}
              />
              <span className="w-14 shrink-0 text-faint text-xs">
                {role === "user" ? "You" : "Answer"}
              </span>
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {preview || "No text"}
              </span>
              <span className="shrink-0 text-faint text-xs tabular-nums">{formatTokens(size)}</span>
            </label>
          </li>
        ))}
      </ul>
      <p role="status" className="text-muted text-xs">
        {chosen.length === 0
          ? "Nothing selected yet."
          : `${countOf(chosen.length, "message")}, ${formatTokens(tokens)}.`}
      </p>
    </fieldset>
  );
}
