import Link from "next/link";
import { Button } from "@/app/_ui/button";
import { ErrorNotice } from "@/app/_ui/notice";
import { inSpace } from "@/app/_ui/page-space";

export function PageTrouble({ onRetry }: { onRetry: () => void }) {
  return (
    <main id="main" className="m-auto w-full max-w-lg p-6">
      <h1 className="mb-3 font-semibold text-xl tracking-tight">Something went wrong</h1>
      <ErrorNotice onRetry={onRetry}>
        This page couldn't be shown. Your drafts and messages are safe.
      </ErrorNotice>
      <Button asChild variant="ghost" className="mt-3">
        <Link href={inSpace("/")}>New chat</Link>
      </Button>
    </main>
  );
}
