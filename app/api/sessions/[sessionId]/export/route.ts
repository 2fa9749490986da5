import "@/lib/server/services";

import { MessageNotFoundError } from "grove-session";
import { pageFile } from "@/app/_message/page-file/page-file";
import { sharePreview } from "@/app/api/drawn-share";
import { endpoint } from "@/app/api/endpoint";
import { pageSource } from "@/app/api/sessions/[sessionId]/page-source";
import { markdownLines } from "@/lib/chat/data/markdown-lines";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { download, fileNameOf } from "@/lib/server/download";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/export",
  async ({ owner, services, params: { sessionId }, query: { as, leaf: leafId, ...shown } }) => {
    const info = await requireSession(owner, sessionId);
    const name = fileNameOf(info.name, "conversation");
    if (as === "json") {
      return download(owner.data.export({ sessionId }), {
        fileName: `${name}.jsonl`,
        type: "application/x-ndjson",
      });
    }
    if (as === "markdown") {
      const messages = owner.store.messages(sessionId);
      if (leafId && !(await messages.getMessage(leafId))) throw new MessageNotFoundError(leafId);
      return download(markdownLines(messages, { info, leafId }), {
        fileName: `${name}.md`,
        type: "text/markdown; charset=utf-8",
      });
    }
    const { branches = false, reasoning = false, tools = false, files = false, title } = shown;
    const contents = { branches, reasoning, tools, files };
    const page = { fileName: `${name}.html`, type: "text/html; charset=utf-8" };
    if (as === "share") {
      const shows = { ...contents, title: title ?? false };
      const snapshot = { leafId: leafId ?? null, shows };
      const canReport = services.accounts !== null;
      return download(await sharePreview(owner, { sessionId, snapshot, canReport }), page);
    }
    const source = await pageSource(owner, sessionId, leafId);
    return download(pageFile(source, { ...contents, savedAt: new Date() }), page);
  },
);
