import "@/lib/server/services";

import { MessageNotFoundError } from "grove-session";
import { type PageEntry, pageFile } from "@/app/_message/page-file/page-file";
import { endpoint } from "@/app/api/endpoint";
import { ChatError } from "@/lib/chat/core/chat-error";
import { type FileStore, readFile } from "@/lib/chat/core/file-store";
import { markdownLines, pathEntries, titleOf } from "@/lib/chat/data/markdown-lines";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { download, fileNameOf } from "@/lib/server/download";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/export",
  async ({ owner, params: { sessionId }, query: { as, leaf: leafId, ...shown } }) => {
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
    if (as === "markdown") {
      return download(markdownLines(messages, { info, leafId }), {
        fileName: `${name}.md`,
        type: "text/markdown; charset=utf-8",
      });
    }
    const [nodes, { leafId: active }] = await Promise.all([
      messages.getTree(),
      messages.getWindow({ limit: 1, overlays: false, siblings: false }),
    ]);
    const source = {
      title: titleOf(info),
      nodes,
      leafId: leafId ?? active,
      path: (end: string, after: number | undefined) =>
        pathEntries(messages, { leafId: end, after }) as AsyncIterable<PageEntry>,
      read: (sha256: string) => base64Of(owner.files, sha256),
    };
    const { branches = false, reasoning = false, tools = false, files = false } = shown;
    const options = { branches, reasoning, tools, files, savedAt: new Date() };
    return download(pageFile(source, options), {
      fileName: `${name}.html`,
      type: "text/html; charset=utf-8",
    });
  },
);

async function base64Of(files: FileStore, sha256: string): Promise<string | null> {
  try {
    return Buffer.from(await readFile(files, sha256)).toString("base64");
  } catch (error) {
    if (error instanceof ChatError && error.code === "file-not-found") return null;
    throw error;
  }
}
