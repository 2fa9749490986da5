import type { Metadata } from "next";
import { SessionRoute, type SessionRouteProps } from "@/app/s/[sessionId]/session-route";
import { titleOf } from "@/app/s/[sessionId]/title-of";

interface ProjectSessionProps extends Pick<SessionRouteProps, "searchParams"> {
  params: Promise<{ spaceId: string; sessionId: string }>;
}

export async function generateMetadata({ params }: ProjectSessionProps): Promise<Metadata> {
  return titleOf(await params);
}

export default async function Page({ params, searchParams }: ProjectSessionProps) {
  const { spaceId, sessionId } = await params;
  return <SessionRoute space={spaceId} sessionId={sessionId} searchParams={searchParams} />;
}
