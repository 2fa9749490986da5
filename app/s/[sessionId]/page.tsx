import { notFound } from "next/navigation";
import { SessionPage } from "@/app/_features/chat/session-page";
import { readNewestPage } from "./read-newest-page";

interface SessionRouteProps {
  params: Promise<{ sessionId: string }>;
  searchParams: Promise<{ leaf?: string | string[]; hit?: string | string[] }>;
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
