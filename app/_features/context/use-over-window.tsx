"use client";

import { useIsMutating } from "@tanstack/react-query";
import { ChevronDown, TriangleAlert } from "lucide-react";
import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { queryKeys } from "@/app/_api/query-keys";
import { textProblem } from "@/app/_data/chat/clean-text";
import { useDraft } from "@/app/_data/chat/draft-store";
import { useContextOf } from "@/app/_data/context/use-context-of";
import { storedFiles } from "@/app/_data/files/attachments";
import { modelName, useModels } from "@/app/_data/models/use-models";
import { focusComposer, isFocusFree } from "@/app/_data/page/focus-composer";
import { useAttachments } from "@/app/_message/files/attachment-list";
import { Button } from "@/app/_ui/button";
import { formatCount, formatTokens } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { Menu, MenuItem } from "@/app/_ui/menu";
import { fileGiving, fileTokens as tokensOfFile } from "@/lib/chat/wire/files";
import {
  decideHeld,
  gaugeOfNewChat,
  type HeldMessage,
  type OverWindow,
  overWindow,
} from "./over-window";

export interface UseOverWindowOptions {
  readonly sessionId: string | null;
  readonly leafId: string | null | undefined;
  readonly draftKey: string;
  readonly model: string | null;
  readonly onModel: (ref: string) => void;
  readonly onSend: (text: string) => void;
}

export interface OverWindowGuard {
  readonly notice: ReactNode;
  /**
   * Focuses the notice, so that a second Enter sends. The draft is sent if it fits once its size is reread, and nothing
   * changed.
   */
  readonly holdBack: () => boolean;
}

export function useOverWindow(options: UseOverWindowOptions): OverWindowGuard {
  const { sessionId, leafId, draftKey, onModel, onSend } = options;
  const [draft, setDraft] = useDraft(draftKey);
  const sendRef = useRef<HTMLButtonElement>(null);
  const context = useContextOf(sessionId, leafId);
  const isChanging = useIsMutating({ mutationKey: queryKeys.contexts(sessionId ?? "") }) > 0;
  const modelList = useModels();
  const list = modelList.data;
  const chosen = list?.models.find(({ ref }) => ref === (options.model ?? list.defaultModel));
  const takes = chosen?.takes ?? { images: true, pdfs: true };
  const fileTokens = storedFiles(useAttachments(draftKey)).reduce(
    (sum, file) => sum + tokensOfFile(file, fileGiving(file, takes)),
    0,
  );
  // The draft alone may already be too long.
  const draftGauge = chosen || isAwaited(modelList) ? gaugeOfNewChat(chosen) : null;
  const gauge = context.data?.gauge ?? draftGauge;
  const over =
    gauge && textProblem(draft) === null
      ? overWindow({ draft, gauge, models: list?.models ?? [], fileTokens })
      : null;

  function send() {
    setDraft("");
    onSend(draft);
  }

  const isOver = over !== null;
  const isRereading =
    context.isFetching ||
    isChanging ||
    isAwaited(modelList) ||
    (sessionId !== null && isAwaited(context));
  const present: HeldMessage = { text: draft, leafId, model: chosen?.ref ?? null };
  const [held, setHeld] = useState<HeldMessage | null>(null);
  const next = held && decideHeld(held, { present, isOver, isRereading });
  const settleHeld = useEffectEvent(() => {
    setHeld(null);
    if (next === "send") send();
    if (next === "ask" && isFocusFree()) sendRef.current?.focus();
  });
  useEffect(() => {
    if (next !== null && next !== "wait") settleHeld();
  }, [next]);

  return {
    notice: over && (
      <OverWindowNotice
        over={over}
        name={chosen?.label ?? "this model"}
        isChecking={next === "wait" || !chosen}
        onModel={onModel}
        onSend={() => {
          send();
          focusComposer();
        }}
        sendRef={sendRef}
      />
    ),
    holdBack() {
      if (isOver && isRereading) setHeld(present);
      else if (isOver) sendRef.current?.focus();
      return isOver;
    },
  };
}

function isAwaited({ isPending, isPaused }: { isPending: boolean; isPaused: boolean }): boolean {
  return isPending && !isPaused;
}

interface OverWindowNoticeProps {
  readonly over: OverWindow;
  readonly name: string;
  readonly isChecking: boolean;
  readonly onModel: (ref: string) => void;
  readonly onSend: () => void;
  readonly sendRef: Ref<HTMLButtonElement>;
}

function OverWindowNotice(props: OverWindowNoticeProps) {
  const { over, name, isChecking, onModel, onSend, sendRef } = props;
  const ref = useRef<HTMLElement>(null);
  // Freed space removes the notice, and with it the button a held-back Enter has focused.
  useLayoutEffect(() => {
    const section = ref.current;
    return () => {
      if (section?.contains(document.activeElement)) focusComposer();
    };
  }, []);
  return (
    <section
      ref={ref}
      aria-label="Too long for this model"
      className="mb-2 flex flex-col gap-2.5 rounded-lg bg-warn-soft p-3.5 text-sm text-warn"
    >
      <p role="status" className="flex gap-2.5">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>{isChecking ? "Checking again. Sends if it fits now." : sentences(over, name)}</span>
      </p>
      <div className="flex flex-wrap gap-2 pl-6.5">
        {over.largerModels.length > 0 && (
          <Menu
            align="start"
            side="top"
            trigger={
              <Button size="sm">
                Choose another model
                <ChevronDown aria-hidden />
              </Button>
            }
          >
            {over.largerModels.map((model) => (
              <MenuItem
                key={model.ref}
                note={formatTokens(model.contextWindow)}
                onSelect={() => onModel(model.ref)}
              >
                {modelName(model, over.largerModels)}
              </MenuItem>
            ))}
          </Menu>
        )}
        <Button size="sm" ref={sendRef} onClick={onSend}>
          {over.canCompact ? "Summarize and send" : "Send anyway"}
        </Button>
      </div>
    </section>
  );
}

function sentences(over: OverWindow, name: string): string {
  const { totalTokens, contextWindow, canCompact, toolTokens } = over;
  const total = formatCount(Math.ceil(totalTokens / 100) * 100);
  const size = `Too long for ${isolated(name)} (about ${total} of ${formatTokens(contextWindow)}).`;
  if (canCompact) return `${size} Older messages can be summarized. Nothing is cut.`;
  const sentAnyway = "Nothing is cut if you send it anyway, but the model may refuse it.";
  const tools = `Tools take about ${formatTokens(toolTokens)} of it: turn some off in Settings, Connections.`;
  return toolTokens > 0 ? `${size} ${tools} ${sentAnyway}` : `${size} ${sentAnyway}`;
}
