import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { SessionPage } from "@/app/_features/chat/session-page";
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
  // Around a hit the browser loads the messages; the newest may not be among them.
  const newest = hit
    ? ({ kind: "later" } as const)
    : await readNewestPage(sessionId, typeof leaf === "string" ? leaf : null);
  if (newest.kind === "missing") notFound();
  const page = newest.kind === "page" ? newest.page : null;
  return <SessionPage key={sessionId} sessionId={sessionId} page={page} />;
}

/** `later` when the browser should ask. */
type NewestPage =
  | { readonly kind: "page"; readonly page: TranscriptWire }
  | { readonly kind: "missing" }
  | { readonly kind: "later" };

/** If the database is down, the browser retries. */
async function readNewestPage(sessionId: string, leaf: string | null): Promise<NewestPage> {
  try {
    const identity = await services().identify(await headers());
    if (!identity) return { kind: "later" };
    const owner = ownerFor(await services().ownerOf(identity), { sessionId });
    const page = await transcript(owner, sessionId, { ...(leaf && { leafId: leaf }), limit: 50 });
    return { kind: "page", page };
  } catch (error) {
    return { kind: isMissing(error) ? "missing" : "later" };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "session-not-found";
}
