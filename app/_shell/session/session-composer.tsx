"use client";

import { useRouter } from "next/navigation";
import { toastError } from "@/app/_api/toast-error";
import { askAgain } from "@/app/_data/assistants/asked-assistant";
import { choiceOf } from "@/app/_data/assistants/use-assistants";
import { appendToDraft, newChat, writeDraft } from "@/app/_data/chat/draft-store";
import type { QueuedMessage } from "@/app/_data/chat/outbox";
import { attachStored } from "@/app/_data/files/attachments";
import { togetherModels, useModels } from "@/app/_data/models/use-models";
import { shellStore } from "@/app/_data/page/shell-store";
import { useChangeSession } from "@/app/_data/sessions/use-session-mutations";
import { useSession } from "@/app/_data/sessions/use-sessions";
import { BranchHintLine } from "@/app/_features/chat/branch-hints";
import { Composer } from "@/app/_features/chat/composer/composer";
import type { SlashCommandName } from "@/app/_features/chat/composer/slash-command";
import { LeftBranchLine } from "@/app/_features/chat/left-branch-line";
import { isQuestion } from "@/app/_features/chat/message-key";
import { QueuedMessages } from "@/app/_features/chat/queued-messages";
import type { ChatSession } from "@/app/_features/chat/use-chat-session";
import type { SessionDialog } from "@/app/_features/chat/use-line-actions";
import { shownLeaf } from "@/app/_features/chat/use-transcript";
import { ContextGauge, ContextItem, ContextMark } from "@/app/_features/context/context-gauge";
import { useOverWindow } from "@/app/_features/context/use-over-window";
import { UntakenFiles } from "@/app/_features/files/untaken-files";
import { ModelMenu } from "@/app/_features/models/model-menu";
import { WebItems, WebSwitch } from "@/app/_features/models/web-switch";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { isolated } from "@/app/_ui/isolated";
import { inSpace } from "@/app/_ui/page-space";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { useStore } from "@/app/_ui/store";
import type { AssistantRef, AssistantWire } from "@/lib/chat/wire/assistants";
import type { ChatParameters } from "@/lib/chat/wire/request-fields";

export interface SessionComposerProps {
  readonly session: ChatSession;
  readonly onDialog: (dialog: SessionDialog) => void;
}

export function SessionComposer(props: SessionComposerProps) {
  if (!useReadsOnly()) return <WritingComposer {...props} />;
  return (
    <p className="mx-auto w-full max-w-column px-5 pt-2 pb-5 text-center text-muted text-sm">
      You can read this project. Only its owner writes here.
    </p>
  );
}

function WritingComposer({ session, onDialog }: SessionComposerProps) {
  const { sessionId, isNew, transcript, isWriting } = session;
  const { leafId } = transcript.window;
  const isFirst = isNew && session.outgoing.length === 0;
  const storedId = isNew ? null : sessionId;
  const chosen = useChosenModel(session);
  const { model, chooseModel, parameters, setParameters } = chosen;
  const ofWeb = { model, web: chosen.web, onChange: chosen.chooseWeb };
  const { startEditing } = useTranscriptActions();
  const onCommand = useCommands(leafId, onDialog);
  const draftKey = isFirst ? newChat : sessionId;
  const together = useStore(togetherModels(draftKey));
  const overWindow = useOverWindow({
    sessionId: storedId,
    leafId: shownLeaf(transcript),
    draftKey,
    model,
    onModel: chooseModel,
    onSend: session.send,
  });

  const gauge = {
    sessionId: storedId,
    leafId: shownLeaf(transcript),
    onOpen: () => shellStore.openDrawer("context"),
  };

  function editLast() {
    const last = transcript.window.entries.findLast(isQuestion);
    if (last && !transcript.window.hasNewer) startEditing(last.message.id);
  }

  return (
    <Composer
      draftKey={draftKey}
      placeholder={isFirst ? "Ask anything" : "Write a message"}
      isWriting={isWriting}
      canStop={isWriting && !session.isHeldUp}
      isStopping={session.isStopping}
      onSend={session.send}
      holdBack={overWindow.holdBack}
      onStop={session.stop}
      place={isFirst ? "new-chat" : leafId === null ? "beginning" : "path"}
      onCommand={onCommand}
      onLookBack={editLast}
      above={
        <>
          <WaitingAbove session={session} onDialog={onDialog} />
          <UntakenFiles
            draftKey={draftKey}
            sessionId={storedId}
            leafId={shownLeaf(transcript)}
            model={model}
            onModel={chooseModel}
          />
          {overWindow.notice}
        </>
      }
      footer={
        <>
          <ModelMenu
            value={model}
            onChange={chooseModel}
            together={together}
            onTogether={(refs) => togetherModels(draftKey).update(() => refs)}
            parameters={parameters}
            onParameters={setParameters}
            assistant={chosen.assistant}
            onAssistant={chosen.chooseAssistant}
          />
          <WebSwitch {...ofWeb} />
          <ContextGauge {...gauge} />
        </>
      }
      phoneMenu={
        <>
          <WebItems {...ofWeb} />
          <ContextItem {...gauge} />
        </>
      }
      phoneMark={<ContextMark {...gauge} />}
    />
  );
}

function WaitingAbove({ session, onDialog }: SessionComposerProps) {
  const { sessionId, queue, removeQueued, isWriting, left } = session;

  function editQueued(message: QueuedMessage) {
    appendToDraft(sessionId, message.text);
    attachStored(sessionId, message.files ?? []);
    askAgain(sessionId, message.assistant);
    removeQueued(message);
  }

  return (
    <>
      {left && !left.isDismissed && !isWriting ? (
        <LeftBranchLine
          title={left.title}
          onBack={left.to === null ? null : () => session.goBack().catch(toastError)}
          onBring={() => onDialog({ kind: "note", from: left.from, to: left.to })}
          onDismiss={session.dismissLeft}
        />
      ) : (
        <BranchHintLine sessionId={sessionId} />
      )}
      <QueuedMessages
        queue={queue}
        onEdit={editQueued}
        onRemove={removeQueued}
        onSendNow={isWriting ? null : session.sendQueued}
      />
    </>
  );
}

function useChosenModel(session: ChatSession) {
  const { sessionId, isNew, first, chooseFirst } = session;
  const models = useModels();
  const { data } = useSession(isNew ? null : sessionId);
  const changeSession = useChangeSession();

  function change(next: {
    model?: string | null;
    parameters?: ChatParameters;
    assistant?: AssistantRef | null;
  }) {
    if (!isNew) {
      const onError = toastError;
      return changeSession.mutate({ id: sessionId, ...next }, { onError });
    }
    chooseFirst({ ...first, ...next });
  }

  const { web, ...parameters } = data ? data.session.parameters : first.parameters;
  const withWeb = (own: ChatParameters, choice: boolean | undefined): ChatParameters =>
    choice === undefined ? own : { ...own, web: choice };
  return {
    model: data ? data.session.model : first.model,
    parameters,
    web,
    chooseModel: (model: string | null) => change({ model }),
    setParameters: (next: ChatParameters) => change({ parameters: withWeb(next, web) }),
    chooseWeb: (next: boolean | undefined) => change({ parameters: withWeb(parameters, next) }),
    assistant: data ? data.session.assistant : (first.assistant ?? null),
    chooseAssistant(assistant: AssistantWire | null) {
      if (assistant === null) return change({ assistant });
      const { choice, goneModel } = choiceOf(assistant, models.data);
      const { parameters: next, ...others } = choice;
      change({ ...others, ...(next && { parameters: withWeb(next, web) }) });
      if (goneModel !== null) toastError(goneWords(assistant.name, goneModel));
    },
  };
}

function goneWords(name: string, model: string): string {
  return `${isolated(name)} asks for ${isolated(model)}, which no provider lists now. The chat keeps its model.`;
}

function useCommands(leafId: string | null, onDialog: SessionComposerProps["onDialog"]) {
  const router = useRouter();
  return (name: SlashCommandName, argument: string) => {
    if (name === "search") shellStore.openPalette(argument);
    if (name === "find") shellStore.findInSession(argument);
    if (name === "new") {
      if (argument !== "") writeDraft(newChat, argument);
      router.push(inSpace("/"));
    }
    if (name === "compact") onDialog({ kind: "compact", focus: argument });
    if (name === "branch" && leafId !== null) onDialog({ kind: "fork", messageId: leafId });
  };
}
