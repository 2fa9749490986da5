import type { UseQueryResult } from "@tanstack/react-query";
import { errorSentence } from "@/app/_api/api-error";
import { ErrorNotice } from "@/app/_ui/notice";
import { SectionSkeleton } from "@/app/_ui/settings-section";

export function SectionPending({ query }: { query: UseQueryResult }) {
  if (!query.isError) return <SectionSkeleton />;
  return (
    <ErrorNotice onRetry={() => void query.refetch()} retrying={query.isFetching}>
      {errorSentence(query.error)}
    </ErrorNotice>
  );
}
