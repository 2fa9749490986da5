import { MessageNotFoundError } from "grove-session";
import type { PageEntry, PageSource } from "@/app/_message/page-file/page-file";
import { ChatError } from "@/lib/chat/core/chat-error";
import { type FileStore, readFile } from "@/lib/chat/core/file-store";
import { pathEntries, titleOf } from "@/lib/chat/data/markdown-lines";
import { requireSession } from "@/lib/chat/sessions/transcript";
import type { OwnerServices } from "@/lib/server/owner-services";

/** @param leafId default: the leaf at which the chat opens. @throws {MessageNotFoundError} for an unknown one. */
export async function pageSource(
  owner: OwnerServices,
  sessionId: string,
  leafId: string | null | undefined,
): Promise<PageSource> {
  const info = await requireSession(owner, sessionId);
  const messages = owner.store.messages(sessionId);
  if (leafId && !(await messages.getMessage(leafId))) throw new MessageNotFoundError(leafId);
  const [nodes, { leafId: active }] = await Promise.all([
    messages.getTree(),
    messages.getWindow({ limit: 1, overlays: false, siblings: false }),
  ]);
  return {
    title: titleOf(info),
    nodes,
    leafId: leafId ?? active,
    path: (end, after) => pathEntries(messages, { leafId: end, after }) as AsyncIterable<PageEntry>,
    read: (sha256) => base64Of(owner.files, sha256),
  };
}

async function base64Of(files: FileStore, sha256: string): Promise<string | null> {
  try {
    return Buffer.from(await readFile(files, sha256)).toString("base64");
  } catch (error) {
    if (error instanceof ChatError && error.code === "file-not-found") return null;
    throw error;
  }
}
