import { sendOutputInFull } from "@/lib/chat/answering/model-input";
import { entryOf, messagesOf } from "@/lib/chat/sessions/transcript";
import { changeMessageRequest } from "@/lib/chat/wire/messages";
import { bodyOf, route } from "@/lib/server/route";

export const PATCH = route<{ sessionId: string; messageId: string }>(
  async ({ owner, params, request }) => {
    const { pinned, label, sendInFull } = await bodyOf(request, changeMessageRequest);
    const messages = await messagesOf(owner, params.sessionId);
    if (pinned !== undefined) await messages.setPinned(params.messageId, pinned);
    if (label !== undefined) await messages.setLabel(params.messageId, label);
    if (sendInFull) await sendOutputInFull(owner, { ...params, ...sendInFull });
    return Response.json(await entryOf(owner, params.sessionId, params.messageId));
  },
);
