import "server-only";
import { headers } from "next/headers";
import { transcript } from "@/lib/chat/sessions/transcript";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { services } from "@/lib/server/services";

/** The newest messages: a page, nothing, or `later` when the browser should ask. */
export type NewestPage =
  | { readonly kind: "page"; readonly page: TranscriptWire }
  | { readonly kind: "missing" }
  | { readonly kind: "later" };

/** Prefetches a session page's messages. If the database is down, the browser retries. */
export async function readNewestPage(sessionId: string, leaf: string | null): Promise<NewestPage> {
  try {
    const owner = await services().ownerOf(await headers());
    const page = await transcript(owner, sessionId, { ...(leaf && { leafId: leaf }), limit: 50 });
    return { kind: "page", page };
  } catch (error) {
    return { kind: isMissing(error) ? "missing" : "later" };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "session-not-found";
}
