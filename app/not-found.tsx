import { TreeDeciduous } from "lucide-react";
import Link from "next/link";
import { SearchButton } from "@/app/_shell/search-button";
import { Workspace } from "@/app/_shell/workspace";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/notice";

export default function NotFound() {
  return (
    <Workspace sessionId={null} heading="Page not found">
      <div className="m-auto">
        <EmptyState
          icon={<TreeDeciduous aria-hidden />}
          title="Page not found"
          action={
            <>
              <Button asChild variant="primary">
                <Link href="/">New chat</Link>
              </Button>
              <SearchButton />
            </>
          }
        >
          The chat may have been deleted, or the link is incomplete.
        </EmptyState>
      </div>
    </Workspace>
  );
}
