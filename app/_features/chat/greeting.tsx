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
import { useAssistants } from "@/app/_data/assistants/use-assistants";
import { appendToDraft, newChat } from "@/app/_data/chat/draft-store";
import { useModels } from "@/app/_data/models/use-models";
import {
  chooseTemporary,
  newChatTakesMemory,
  newTemporaryChat,
} from "@/app/_data/page/shell-store";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { useSessions } from "@/app/_data/sessions/use-sessions";
import { useSettings } from "@/app/_data/settings/use-settings";
import { Button, IconButton } from "@/app/_ui/button";
import { inSpace } from "@/app/_ui/page-space";
import { useStore } from "@/app/_ui/store";
import type { AssistantRef } from "@/lib/chat/wire/assistants";

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
    prompt: "Explain how trees trade water through their roots, with a table and a little code.",
  },
] as const;

export function Greeting() {
  const isTemporary = useStore(newTemporaryChat);
  return (
    <div className="mx-auto flex w-full max-w-column flex-[2_0_auto] flex-col justify-end px-5 pt-6 pb-5">
      <Sprout aria-hidden className="size-9 text-accent" strokeWidth={1.5} />
      <h2 className="mt-4 font-semibold text-2xl tracking-tight">What can I help with?</h2>
      {isTemporary ? (
        <TemporaryNote />
      ) : (
        <p className="mt-2 text-muted">Branch any message. Nothing gets overwritten.</p>
      )}
    </div>
  );
}

const memoryBoxId = "takes-memory";

function TemporaryNote() {
  const takesMemory = useStore(newChatTakesMemory);
  return (
    <>
      <p role="status" className="mt-2 max-w-[52ch] text-muted text-sm">
        Temporary chat: {takesMemory ? "reads" : "without"} your memory and knowledge, changes
        neither, and is in no list or search. Deleted when you end it, ten minutes after you close
        its tab, or a day after the last message. The model's provider still receives it.
      </p>
      <label className="mt-2 flex min-h-8 pointer-coarse:min-h-11 w-fit items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={takesMemory}
          onChange={({ target }) => {
            newChatTakesMemory.update(() => target.checked);
            // The page of the other chat takes the place of this one.
            requestAnimationFrame(() => document.getElementById(memoryBoxId)?.focus());
          }}
          id={memoryBoxId}
          className="size-4 accent-accent"
        />
        Read my memory and knowledge
      </label>
    </>
  );
}

export interface StartBelowProps {
  readonly onStart: (prompt: string) => void;
  readonly assistant: AssistantRef | null;
}

export function StartBelow({ onStart, assistant }: StartBelowProps) {
  return (
    <div className="min-h-0 flex-[3_1_0] overflow-y-auto">
      <div className="mx-auto flex w-full max-w-column flex-col gap-6 px-5 pt-2 pb-8">
        <StartNotes />
        {assistant ? <Starters assistant={assistant} /> : <Suggestions onStart={onStart} />}
      </div>
    </div>
  );
}

function Starters({ assistant }: { assistant: AssistantRef }) {
  const { data } = useAssistants();
  const chosen = data?.assistants.find(({ key }) => key === assistant.key);
  if (!chosen || chosen.starters.length === 0) return null;
  return (
    <ul aria-label="Suggestions" className="grid gap-2.5 sm:grid-cols-2">
      {chosen.starters.map((starter) => (
        <li key={starter}>
          <button
            type="button"
            dir="auto"
            onClick={() => appendToDraft(newChat, starter)}
            className="h-full w-full rounded-xl border border-line bg-raised px-4 py-3 text-left text-sm shadow-raised transition-colors hover:border-edge hover:bg-hover"
          >
            {starter}
          </button>
        </li>
      ))}
    </ul>
  );
}

const newcomersChats = 3;
const ownChats = { archived: false, tag: null } as const;

function Suggestions({ onStart }: { onStart: (prompt: string) => void }) {
  const first = useStore(newTemporaryChat) ? quickQuestion : remembering;
  const { sessions, isSuccess } = useSessions(ownChats);
  if (!isSuccess || sessions.length >= newcomersChats) return null;
  return (
    <ul aria-label="Suggestions" className="grid gap-2.5 sm:grid-cols-2">
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
  );
}

/** The height is reserved while loading; both parts appear at once, so that neither moves. */
function StartNotes() {
  const models = useModels();
  const settings = useSettings();
  const chosen = models.data?.models.find(({ ref }) => ref === models.data.defaultModel);
  const example = models.data && settings.data?.example;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-5 gap-y-2 text-muted text-sm">
      {settings.data && chosen?.isDemo && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          You're using a scripted demo.
          <Button asChild variant="primary" size="sm">
            <Link href={inSpace("/settings?section=models")}>Connect a model</Link>
          </Button>
        </p>
      )}
      {example?.exists && (
        <p>
          <Link
            href={sessionAddress(example.sessionId)}
            className="rounded-xs text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent"
          >
            Explore an example chat
            <ArrowRight aria-hidden className="ml-1 inline size-3.5" />
          </Link>
        </p>
      )}
    </div>
  );
}

export function TemporaryToggle() {
  const isTemporary = useStore(newTemporaryChat);
  return (
    <IconButton
      label="Temporary chat"
      aria-pressed={isTemporary}
      className={isTemporary ? "bg-accent-soft text-accent!" : ""}
      onClick={() => chooseTemporary(!isTemporary)}
    >
      <MessageCircleDashed aria-hidden />
    </IconButton>
  );
}
