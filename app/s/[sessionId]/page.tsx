import { MessageNotFoundError } from "grove-session";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SessionPage } from "@/app/_shell/session/session-page";
import { identity } from "@/app/identity";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";
import { transcript } from "@/lib/chat/sessions/transcript";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { ownerFor } from "@/lib/server/route";
import { services } from "@/lib/server/services";
import { titleOf } from "./title-of";

interface SessionRouteProps {
  params: Promise<{ sessionId: string }>;
  searchParams: Promise<{ leaf?: string | string[]; hit?: string | string[] }>;
}

export async function generateMetadata({ params }: SessionRouteProps): Promise<Metadata> {
  return titleOf((await params).sessionId);
}

export default async function SessionRoute({ params, searchParams }: SessionRouteProps) {
  const { sessionId } = await params;
  const { leaf, hit } = await searchParams;
  // The browser loads the messages around a hit; the newest may not be among them.
  const newest = hit
    ? ({ kind: "later" } as const)
    : await readNewestPage(sessionId, typeof leaf === "string" ? leaf : null);
  if (newest.kind === "missing") notFound();
  const page = newest.kind === "page" ? newest.page : null;
  return <SessionPage key={sessionId} sessionId={sessionId} page={page} />;
}

type NewestPage =
  | { readonly kind: "page"; readonly page: TranscriptWire }
  | { readonly kind: "missing" }
  | { readonly kind: "later" };

/** A database that is down is asked again by the browser. */
async function readNewestPage(sessionId: string, leaf: string | null): Promise<NewestPage> {
  try {
    const asking = await identity();
    if (!asking) return { kind: "later" };
    const owner = ownerFor(await services().ownerOf(inOwnSpace(asking.personId)), { sessionId });
    return { kind: "page", page: await readPage(owner, sessionId, leaf) };
  } catch (error) {
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
