import type { Metadata } from "next";
import { SessionRoute, type SessionRouteProps } from "./session-route";
import { titleOf } from "./title-of";

interface PageProps extends Pick<SessionRouteProps, "searchParams"> {
  params: Promise<{ sessionId: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return titleOf(await params);
}

export default async function Page({ params, searchParams }: PageProps) {
  return <SessionRoute {...(await params)} searchParams={searchParams} />;
}
