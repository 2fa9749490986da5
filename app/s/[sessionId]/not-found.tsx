import { Sprout } from "lucide-react";
import Link from "next/link";
import { SearchButton } from "@/app/_shell/search-button";
import { Workspace } from "@/app/_shell/workspace";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/notice";

export default function SessionNotFound() {
  return (
    <Workspace sessionId={null} heading="Chat not found">
      <div className="flex flex-1 items-center justify-center">
        <EmptyState
          icon={<Sprout aria-hidden />}
          title="Chat not found"
          action={
            <>
              <Button asChild variant="primary">
                <Link href="/">New chat</Link>
              </Button>
              <SearchButton />
            </>
          }
        >
          It may have been deleted, or the link is incomplete.
        </EmptyState>
      </div>
    </Workspace>
  );
}
