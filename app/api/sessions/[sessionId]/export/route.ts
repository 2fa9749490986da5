import "@/lib/server/services";

import { MessageNotFoundError } from "grove-session";
import { endpoint } from "@/app/api/endpoint";
import { markdownLines } from "@/lib/chat/data/markdown-lines";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { download, fileNameOf } from "@/lib/server/download";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/export",
  async ({ owner, params: { sessionId }, query: { as, leaf: leafId } }) => {
    const info = await requireSession(owner, sessionId);
    const name = fileNameOf(info.name, "conversation");
    if (as === "json") {
      return download(owner.data.export({ sessionId }), {
        fileName: `${name}.jsonl`,
        type: "application/x-ndjson",
      });
    }
    const messages = owner.store.messages(sessionId);
    if (leafId && !(await messages.getMessage(leafId))) throw new MessageNotFoundError(leafId);
    return download(markdownLines(messages, { info, leafId }), {
      fileName: `${name}.md`,
      type: "text/markdown; charset=utf-8",
    });
  },
);
