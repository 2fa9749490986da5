import type { Metadata } from "next";
import { UsageView } from "@/app/_features/usage/usage-view";
import { rangeOf } from "@/app/_features/usage/usage-words";
import { Workspace } from "@/app/_shell/workspace";

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
