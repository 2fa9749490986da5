import { type ReactNode, useRef } from "react";
import { textProblem } from "@/app/_features/chat/clean-text";
import { useDraft } from "@/app/_features/chat/draft-store";
import { gaugeOfNewChat, overWindow } from "@/app/_features/context/over-window";
import { OverWindowNotice } from "@/app/_features/context/over-window-notice";
import { useContextOf } from "@/app/_features/context/use-context-of";
import { useModels } from "@/app/_features/settings/use-models";
import { focusComposer } from "@/app/_shell/focus-composer";

export interface OverWindowOptions {
  /** `null` before the server has stored the session. */
  readonly sessionId: string | null;
  readonly leafId: string | null | undefined;
  readonly draftKey: string;
  /** `null` follows the default. */
  readonly model: string | null;
  readonly onCompact: () => void;
  readonly onModel: (ref: string) => void;
  readonly onSend: (text: string) => void;
}

export interface OverWindowGuard {
  /** `null` while the next request fits its model. */
  readonly notice: ReactNode;
  /** Moves the focus to the notice, so that a second Enter sends. */
  readonly holdBack: () => boolean;
}

/** Reports before sending that the request would not fit the model. */
export function useOverWindow(options: OverWindowOptions): OverWindowGuard {
  const { sessionId, leafId, draftKey, onCompact, onModel, onSend } = options;
  const [draft, setDraft] = useDraft(draftKey);
  const sendRef = useRef<HTMLButtonElement>(null);
  const { data: context } = useContextOf(sessionId, leafId);
  const { data: list } = useModels();
  const chosen = list?.models.find(({ ref }) => ref === (options.model ?? list.defaultModel));
  const first = sessionId === null && chosen ? gaugeOfNewChat(chosen) : null;
  const gauge = context?.gauge ?? first;
  const over =
    gauge && textProblem(draft) === null
      ? overWindow({ draft, gauge, models: list?.models ?? [] })
      : null;

  function send() {
    setDraft("");
    onSend(draft.trim());
    focusComposer();
  }

  return {
    notice: over && (
      <OverWindowNotice
        over={over}
        onCompact={onCompact}
        onModel={onModel}
        onSend={send}
        sendRef={sendRef}
      />
    ),
    holdBack() {
      if (over) sendRef.current?.focus();
      return over !== null;
    },
  };
}
