"use client";

import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { ApiError } from "@/app/_api/api-error";
import { Failure } from "@/app/_api/failure";
import { useCompare } from "@/app/_data/compare/use-compare";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { useDocumentTitle } from "@/app/_data/sessions/session-title";
import { useSession } from "@/app/_data/sessions/use-sessions";
import { Comparison } from "@/app/_features/compare/comparison";
import { Workspace } from "@/app/_shell/workspace";
import { Button } from "@/app/_ui/button";
import { ListSkeleton } from "@/app/_ui/loading";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { EmptyState } from "@/app/_ui/notice";
import { useSpace } from "@/app/_ui/use-space";

export interface ComparePageProps {
  readonly sessionId: string;
  readonly left: string;
  readonly right: string;
}

const stretch = 200;

export function ComparePage({ sessionId, left, right }: ComparePageProps) {
  const title = useSession(sessionId).data?.session.title;
  useDocumentTitle(title === undefined ? undefined : `Compare · ${title}`);
  return (
    <Workspace sessionId={sessionId}>
      <section
        aria-label="Comparison"
        {...scrollable}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-12 sm:px-6"
      >
        <div className="mx-auto max-w-7xl">
          <div className="flex items-center gap-3 py-4">
            <Button size="sm" variant="ghost" asChild>
              <Link href={sessionAddress(sessionId, useSpace())}>
                <ArrowLeft aria-hidden />
                Back
              </Link>
            </Button>
            <h2 className="font-semibold text-lg tracking-tight">Compare branches</h2>
          </div>
          <CompareBody sessionId={sessionId} left={left} right={right} />
        </div>
      </section>
    </Workspace>
  );
}

function CompareBody({ sessionId, left, right }: ComparePageProps) {
  const [limit, setLimit] = useState(stretch);
  const compare = useCompare(sessionId, { left, right, limit });
  if (left === "" || right === "") {
    return <NothingToCompare>This link is missing one or both branches.</NothingToCompare>;
  }
  if (compare.data) {
    return (
      <Comparison
        sessionId={sessionId}
        compare={compare.data}
        isReadingMore={compare.isPlaceholderData}
        onMore={() => setLimit(limit + stretch)}
      />
    );
  }
  if (compare.error instanceof ApiError && compare.error.status === 404) {
    return <NothingToCompare>One of the branches may have been deleted.</NothingToCompare>;
  }
  if (compare.error) {
    return <Failure of={compare} />;
  }
  return <ListSkeleton label="Loading both branches" rows={8} />;
}

function NothingToCompare({ children }: { children: string }) {
  return (
    <EmptyState title="Nothing to compare">
      {children} Choose two messages in the tree, or use the version menu of a message.
    </EmptyState>
  );
}
