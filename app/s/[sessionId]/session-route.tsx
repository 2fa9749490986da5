import { MessageNotFoundError } from "grove-session";
import { notFound, redirect, unstable_rethrow } from "next/navigation";
import { SessionPage } from "@/app/_shell/session/session-page";
import { inSpace } from "@/app/_ui/page-space";
import { identity } from "@/app/identity";
import { pageOwner } from "@/app/page-owner";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { transcript } from "@/lib/chat/sessions/transcript";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { placeOfMoved } from "@/lib/server/moved-chats";
import { ownerFor } from "@/lib/server/route";
import { services } from "@/lib/server/services";

export interface SessionRouteProps {
  space?: string | null;
  sessionId: string;
  searchParams: Promise<{ leaf?: string | string[]; hit?: string | string[] }>;
}

export async function SessionRoute({ space = null, sessionId, searchParams }: SessionRouteProps) {
  const { leaf, hit } = await searchParams;
  // The browser loads the messages around a hit; the newest may not be among them.
  const newest = hit
    ? ({ kind: "later" } as const)
    : await readNewestPage(space, sessionId, typeof leaf === "string" ? leaf : null);
  if (newest.kind === "missing") await leaveFor(sessionId, space);
  const page = newest.kind === "page" ? newest.page : null;
  return <SessionPage key={sessionId} sessionId={sessionId} page={page} />;
}

async function leaveFor(sessionId: string, space: string | null): Promise<never> {
  const [asking, owner] = [await identity(), await pageOwner(space)];
  const at = asking && owner && (await placeOfMoved(services(), asking, { ...owner, sessionId }));
  if (!at) notFound();
  redirect(inSpace(`/s/${encodeURIComponent(sessionId)}`, at.project?.id ?? null));
}

type NewestPage =
  | { readonly kind: "page"; readonly page: TranscriptWire }
  | { readonly kind: "missing" }
  | { readonly kind: "later" };

/** A database that is down is asked again by the browser. */
async function readNewestPage(
  space: string | null,
  sessionId: string,
  leaf: string | null,
): Promise<NewestPage> {
  try {
    const owner = await pageOwner(space);
    if (!owner) return { kind: "later" };
    return { kind: "page", page: await readPage(ownerFor(owner, { sessionId }), sessionId, leaf) };
  } catch (error) {
    unstable_rethrow(error);
    return { kind: isMissing(error) ? "missing" : "later" };
  }
}

/** A leaf may be deleted, or an answer still being written: the last used path is read instead. */
async function readPage(
  owner: OwnerData,
  sessionId: string,
  leaf: string | null,
): Promise<TranscriptWire> {
  const newest = { limit: 50 };
  if (leaf === null) return transcript(owner, sessionId, newest);
  try {
    return await transcript(owner, sessionId, { ...newest, leafId: leaf });
  } catch (error) {
    if (!(error instanceof MessageNotFoundError)) throw error;
    return transcript(owner, sessionId, newest);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "session-not-found";
}
