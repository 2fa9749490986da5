import "@/lib/server/services";

import { InvalidArgumentError } from "grove-session";
import { endpoint } from "@/app/api/endpoint";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";
import { sessionDetail } from "@/lib/chat/sessions/session-detail";
import { keepTemporaryChat } from "@/lib/chat/sessions/temporary-chat";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/keep",
  async ({ services, identity, params: { sessionId } }) => {
    if (!isTemporaryId(sessionId)) throw new InvalidArgumentError("This chat is kept already.");
    const kept = await services.ownerOf(inOwnSpace(identity.personId));
    const info = await keepTemporaryChat({ temporary: kept.temporaryChats, kept }, sessionId);
    return (await sessionDetail(kept, info.id)).session;
  },
);
