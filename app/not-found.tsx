import { TreeDeciduous } from "lucide-react";
import Link from "next/link";
import { SearchButton } from "@/app/_shell/search-button";
import { Workspace } from "@/app/_shell/workspace";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";

export default function NotFound() {
  return (
    <Workspace sessionId={null} heading="Not found">
      <div className="m-auto">
        <EmptyState
          icon={<TreeDeciduous aria-hidden />}
          title="There is nothing at this address"
          action={
            <>
              <Button asChild variant="primary">
                <Link href="/">Start a new chat</Link>
              </Button>
              <SearchButton />
            </>
          }
        >
          The session may have been deleted, or the link is incomplete. Search finds everything that
          is still here.
        </EmptyState>
      </div>
    </Workspace>
  );
}
