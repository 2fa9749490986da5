import Link from "next/link";
import { Button } from "@/app/_ui/button";
import { ErrorNotice } from "@/app/_ui/error-notice";

/** What stands where a page failed: what happened, what is safe, and two ways on. */
export function PageTrouble({ onRetry }: { onRetry: () => void }) {
  return (
    <main id="main" className="m-auto w-full max-w-lg p-6">
      <h1 className="mb-3 font-semibold text-xl tracking-tight">This page could not be shown</h1>
      <ErrorNotice onRetry={onRetry}>
        Something went wrong in this page. Drafts are kept on this device, messages on the server.
      </ErrorNotice>
      <Button asChild variant="ghost" className="mt-3">
        <Link href="/">Start a new chat</Link>
      </Button>
    </main>
  );
}
