"use client";

import {
  ArrowRight,
  Egg,
  GitBranch,
  MessageCircleDashed,
  NotebookPen,
  Scroll,
  Search,
  Sprout,
} from "lucide-react";
import Link from "next/link";
import { useModels } from "@/app/_data/models/use-models";
import { newTemporaryChat } from "@/app/_data/page/shell-store";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { useSettings } from "@/app/_data/settings/use-settings";
import { Button } from "@/app/_ui/button";
import { useStore } from "@/app/_ui/store";

const remembering = {
  icon: NotebookPen,
  name: "Remember something",
  prompt: "Please remember that I prefer short answers and metric units.",
} as const;

const quickQuestion = {
  icon: Egg,
  name: "A quick question",
  prompt: "How long do I boil an egg so that the yolk stays soft?",
} as const;

const starters = [
  {
    icon: GitBranch,
    name: "Try two versions",
    prompt: "Suggest a name for a small bakery. I'll ask again and compare.",
  },
  {
    icon: Search,
    name: "Search past chats",
    prompt: "Search our earlier chats for what we said about gardens.",
  },
  {
    icon: Scroll,
    name: "A longer answer",
    prompt: "Explain how trees share water through their roots, with a table and a little code.",
  },
] as const;

export function Greeting({ onStart }: { onStart: (prompt: string) => void }) {
  const first = useStore(newTemporaryChat) ? quickQuestion : remembering;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-column flex-col justify-center px-5 py-8">
        <Sprout aria-hidden className="size-9 text-accent" strokeWidth={1.5} />
        <h2 className="mt-4 font-semibold text-2xl tracking-tight">What can I help with?</h2>
        <p className="mt-2 max-w-[52ch] text-muted">
          Branch any message. Nothing gets overwritten.
        </p>
        <TemporaryToggle />
        <ul aria-label="Suggestions" className="mt-7 grid gap-2.5 sm:grid-cols-2">
          {[first, ...starters].map(({ icon: Icon, name, prompt }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => onStart(prompt)}
                className="flex h-full w-full gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-left shadow-raised transition-colors hover:border-edge hover:bg-hover"
              >
                <Icon aria-hidden className="mt-1 size-4 shrink-0 text-accent" />
                <span>
                  <span className="block font-medium text-sm">{name}</span>
                  <span className="text-muted text-sm">{prompt}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        <GreetingNotes />
      </div>
    </div>
  );
}

/** The height is reserved while loading; both lines appear at once, so that neither moves. */
function GreetingNotes() {
  const models = useModels();
  const settings = useSettings();
  const chosen = models.data?.models.find(({ ref }) => ref === models.data.defaultModel);
  const example = models.data && settings.data?.example;
  return (
    <div className="mt-6 flex min-h-12 flex-col gap-1.5 text-muted text-sm">
      {settings.data && chosen?.isDemo && (
        <p>
          You're using a scripted demo.{" "}
          <Link href="/settings?section=models" className={linkLook}>
            Connect a model
          </Link>
        </p>
      )}
      {example?.exists && (
        <p>
          <Link href={sessionAddress(example.sessionId)} className={linkLook}>
            Explore an example chat
            <ArrowRight aria-hidden className="ml-1 inline size-3.5" />
          </Link>
        </p>
      )}
    </div>
  );
}

const linkLook =
  "rounded-xs text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent";

function TemporaryToggle() {
  const isTemporary = useStore(newTemporaryChat);
  return (
    <div className="mt-4">
      <Button
        size="sm"
        aria-pressed={isTemporary}
        className={isTemporary ? "border-accent text-accent" : ""}
        onClick={() => newTemporaryChat.update((now) => !now)}
      >
        <MessageCircleDashed aria-hidden />
        Temporary chat
      </Button>
      {isTemporary && (
        <p role="status" className="mt-2 max-w-[52ch] text-muted text-sm">
          Not in your chats, search or memory, and without a title. Deleted when you end it, ten
          minutes after you close its tab, or a day after the last message. The model's provider
          still receives it.
        </p>
      )}
    </div>
  );
}
