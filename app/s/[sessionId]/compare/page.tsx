import type { Metadata } from "next";
import { titleOf } from "@/app/s/[sessionId]/title-of";
import { ComparePage } from "./compare-page";

interface CompareRouteProps {
  params: Promise<{ sessionId: string; spaceId?: string }>;
  searchParams: Promise<{ left?: string | string[]; right?: string | string[] }>;
}

export async function generateMetadata({ params }: CompareRouteProps): Promise<Metadata> {
  return titleOf(await params, "Compare · ");
}

export default async function CompareRoute({ params, searchParams }: CompareRouteProps) {
  const { sessionId } = await params;
  const { left, right } = await searchParams;
  return <ComparePage sessionId={sessionId} left={oneOf(left)} right={oneOf(right)} />;
}

function oneOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}
