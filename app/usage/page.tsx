import type { Metadata } from "next";
import { Workspace } from "@/app/_components/shell/workspace";
import { UsageView } from "@/app/_components/usage/usage-view";
import { rangeOf } from "@/app/_components/usage/usage-words";

export const metadata: Metadata = { title: "Usage" };

interface UsagePageProps {
  searchParams: Promise<{ range?: string | string[] }>;
}

export default async function UsagePage({ searchParams }: UsagePageProps) {
  const { range } = await searchParams;
  return (
    <Workspace sessionId={null} heading="Usage">
      <UsageView range={rangeOf(range)} />
    </Workspace>
  );
}
