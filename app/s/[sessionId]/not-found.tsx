import { Sprout } from "lucide-react";
import Link from "next/link";
import { SearchButton } from "@/app/_shell/search-button";
import { Workspace } from "@/app/_shell/workspace";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";

export default function SessionNotFound() {
  return (
    <Workspace sessionId={null} heading="Not here">
      <div className="flex flex-1 items-center justify-center">
        <EmptyState
          icon={<Sprout aria-hidden />}
          title="There is no session at this address"
          action={
            <>
              <Button asChild variant="primary">
                <Link href="/">Start a new chat</Link>
              </Button>
              <SearchButton />
            </>
          }
        >
          It may have been deleted, or the link is not complete. Search finds everything that is
          still here.
        </EmptyState>
      </div>
    </Workspace>
  );
}
