"use client";

import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { countOf } from "@/app/_ui/format-amount";
import type { SessionWire } from "@/lib/chat/wire/sessions";

export interface TagsDialogProps {
  sessions: readonly SessionWire[];
  known: readonly string[];
  onChange: (tagsOf: (session: SessionWire) => string[]) => void;
  onClose: () => void;
}

export function TagsDialog({ sessions, known, onChange, onClose }: TagsDialogProps) {
  const [shared] = useState(() => sharedTags(sessions));
  const [tags, setTags] = useState(shared);
  const [text, setText] = useState("");

  const keep = (next: readonly string[]) => {
    setTags(next);
    onChange((session) => {
      const own = session.tags.filter((tag) => next.includes(tag) || !shared.includes(tag));
      return [...next.reduce(addTag, own)];
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keep(addTag(tags, text));
    setText("");
  };
  const offered = known.filter((tag) => !tags.includes(tag));

  return (
    <Dialog
      onClose={onClose}
      title="Tags"
      description={
        sessions.length === 1 ? sessions.map(sessionTitle).join() : countOf(sessions.length, "chat")
      }
    >
      <form onSubmit={submit} className="flex items-end gap-2">
        <div className="flex-1">
          <InputField
            label="New tag"
            value={text}
            maxLength={50}
            autoFocus
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button type="submit" variant="primary" disabled={text.trim() === "" || tags.length >= 20}>
          Add
        </Button>
      </form>
      <ul
        aria-label={sessions.length === 1 ? "Tags of this chat" : "Tags that all have"}
        className="mt-4 flex flex-wrap gap-2"
      >
        {tags.map((tag) => (
          <li key={tag}>
            <button
              type="button"
              aria-label={`Remove ${tag}`}
              onClick={() => keep(tags.filter((other) => other !== tag))}
              className="flex h-7 items-center gap-1.5 rounded-full bg-accent-soft px-3 font-medium text-accent text-xs hover:bg-hover"
            >
              {tag}
              <X aria-hidden className="size-3" />
            </button>
          </li>
        ))}
      </ul>
      {offered.length > 0 && (
        <>
          <p className="mt-5 mb-2 text-faint text-xs">Other tags</p>
          <ul aria-label="Other tags" className="flex flex-wrap gap-2">
            {offered.map((tag) => (
              <li key={tag}>
                <button
                  type="button"
                  onClick={() => keep(addTag(tags, tag))}
                  className="h-7 rounded-full border border-line px-3 text-muted text-xs hover:bg-hover hover:text-ink"
                >
                  {tag}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

function sharedTags([first, ...others]: readonly SessionWire[]): readonly string[] {
  return first?.tags.filter((tag) => others.every(({ tags }) => tags.includes(tag))) ?? [];
}

function addTag(tags: readonly string[], text: string): readonly string[] {
  const tag = text.trim().replace(/^#+/, "");
  const isKnown = tags.some((other) => other.toLowerCase() === tag.toLowerCase());
  return tag === "" || isKnown ? tags : [...tags, tag];
}
