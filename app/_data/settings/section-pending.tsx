import type { UseQueryResult } from "@tanstack/react-query";
import { Failure } from "@/app/_api/failure";
import { SectionSkeleton } from "@/app/_ui/settings-section";

export function SectionPending({ query }: { query: UseQueryResult }) {
  if (!query.isError) return <SectionSkeleton />;
  return <Failure of={query} />;
}
