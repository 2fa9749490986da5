"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useChangeSession } from "@/app/_features/sessions/use-session-mutations";
import { focusComposer } from "@/app/_shell/focus-composer";
import { shellStore } from "@/app/_shell/shell-store";
import { Workspace } from "@/app/_shell/workspace";
import { preloadMarkdown } from "@/app/_ui/markdown/markdown";
import { Composer } from "./composer/composer";
import { ModelPicker } from "./composer/model-picker";
import type { SlashCommandName } from "./composer/slash-command";
import { draftStore, newChat } from "./draft-store";
import { Greeting } from "./greeting";
import { newOutgoing } from "./new-outgoing";
import { outboxDelivery } from "./outbox-delivery";
import { outboxStore } from "./outbox-store";
import { UnsentBeginning } from "./unsent-beginning";
import { useAcknowledged, useOutbox } from "./use-outbox";

/** Where a session begins. It exists once the server has stored its first message; then the page goes there. */
export function NewChatPage() {
  const router = useRouter();
  const outbox = useOutbox();
  const { mutate: changeSession } = useChangeSession();
  const [model, setModel] = useState<string | null>(null);
  const beginning = outbox.findLast(({ newSession }) => newSession) ?? null;
  const isSending = beginning?.state.kind === "pending";

  useAcknowledged((sent) => {
    if (!sent.newSession) return;
    if (sent.model) changeSession({ id: sent.sessionId, model: sent.model });
    router.push(`/s/${encodeURIComponent(sent.sessionId)}`);
  });

  function send(text: string) {
    // The answer will need it; the page itself did not.
    void preloadMarkdown();
    const sessionId = crypto.randomUUID();
    const outgoing = newOutgoing({ sessionId, text, newSession: true, ...(model && { model }) });
    outboxStore.dispatch({ type: "written", outgoing });
  }

  function editAgain() {
    if (!beginning) return;
    draftStore.write(newChat, beginning.text);
    outboxDelivery.discard(beginning.id);
    focusComposer();
  }

  function onCommand(name: SlashCommandName, argument: string) {
    if (name === "search") shellStore.openPalette(argument);
    // This is a new chat: what was said along with the wish for one is its draft.
    if (name === "new") draftStore.write(newChat, argument);
  }

  return (
    <Workspace sessionId={null} heading="New chat">
      {beginning ? (
        <UnsentBeginning
          outgoing={beginning}
          onRetry={() => outboxStore.dispatch({ type: "retried", id: beginning.id })}
          onEdit={editAgain}
          onDiscard={() => outboxDelivery.discard(beginning.id)}
        />
      ) : (
        <Greeting onStart={send} />
      )}
      <Composer
        draftKey={newChat}
        placeholder="Ask anything"
        isWriting={isSending}
        canStop={isSending}
        isStopping
        onSend={send}
        onStop={() => undefined}
        place="new-chat"
        onCommand={onCommand}
        footer={<ModelPicker value={model} onChange={setModel} />}
      />
    </Workspace>
  );
}
