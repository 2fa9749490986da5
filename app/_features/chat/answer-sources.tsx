"use client";

import { Globe } from "lucide-react";
import type { AnswerSource } from "@/app/_message/message-parts";
import { hostOf } from "@/app/_ui/markdown/link-address";

/** Opening one is the reader's choice: nothing of it is loaded here. */
export function AnswerSources({ sources }: { sources: readonly AnswerSource[] }) {
  return (
    <section aria-label="Sources" className="mt-3 text-sm">
      <p className="flex items-center gap-2 text-muted text-xs">
        <Globe aria-hidden className="size-3.5" />
        Sources
      </p>
      <ol className="mt-1 flex flex-col">
        {sources.map(({ address, title }) => (
          <li key={address} className="[overflow-wrap:anywhere]">
            <a
              href={address}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="inline-flex min-h-8 pointer-coarse:min-h-11 flex-wrap items-center gap-x-2 underline decoration-line underline-offset-2 hover:decoration-ink"
            >
              {title}
              <span className="text-faint no-underline">{hostOf(address)}</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
