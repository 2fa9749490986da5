import { ComparePage } from "@/app/_features/compare/compare-page";

interface CompareRouteProps {
  params: Promise<{ sessionId: string }>;
  searchParams: Promise<{ left?: string | string[]; right?: string | string[] }>;
}

export default async function CompareRoute({ params, searchParams }: CompareRouteProps) {
  const { sessionId } = await params;
  const { left, right } = await searchParams;
  return <ComparePage sessionId={sessionId} left={oneOf(left)} right={oneOf(right)} />;
}

function oneOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}
