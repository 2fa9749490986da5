import { markdownLines } from "@/lib/chat/memory/markdown-lines";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { download, fileNameOf } from "@/lib/server/download";
import { exportSession } from "@/lib/server/export-data";
import { HttpError } from "@/lib/server/http-error";
import { route, textIn } from "@/lib/server/route";
import { MessageNotFoundError } from "@/lib/session";

interface Params {
  sessionId: string;
}

export const GET = route<Params>(async ({ owner, services, params: { sessionId }, query }) => {
  const info = await requireSession(owner, sessionId);
  const name = fileNameOf(info.name, "conversation");
  const form = textIn(query, "as") ?? "json";
  if (form === "json") {
    const lines = exportSession(services, owner, sessionId);
    return download(lines, { fileName: `${name}.jsonl`, type: "application/x-ndjson" });
  }
  if (form !== "markdown")
    throw new HttpError(400, "invalid-query", "“as” must be json or markdown.", "as");
  const messages = owner.store.messages(sessionId);
  const leafId = textIn(query, "leaf");
  if (leafId && !(await messages.getMessage(leafId))) throw new MessageNotFoundError(leafId);
  return download(markdownLines(messages, { info, leafId }), {
    fileName: `${name}.md`,
    type: "text/markdown; charset=utf-8",
  });
});
