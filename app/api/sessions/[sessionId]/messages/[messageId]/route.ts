import { endpoint } from "@/app/api/endpoint";
import { keepAnswer } from "@/lib/chat/branches/keep-answer";
import { sendOutputInFull } from "@/lib/chat/sessions/model-input";
import { entryOf, messagesOf } from "@/lib/chat/sessions/transcript";

export const PATCH = endpoint(
  "PATCH /api/sessions/:sessionId/messages/:messageId",
  async ({ owner, params, body: { pinned, label, kept, sendInFull } }) => {
    const messages = await messagesOf(owner, params.sessionId);
    if (pinned !== undefined) await messages.setPinned(params.messageId, pinned);
    if (label !== undefined) await messages.setLabel(params.messageId, label);
    if (kept !== undefined) await keepAnswer(owner, { ...params, kept });
    if (sendInFull) await sendOutputInFull(owner, { ...params, ...sendInFull });
    return entryOf(owner, params.sessionId, params.messageId);
  },
);
