"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import type { ReactNode } from "react";
import { shellStore } from "@/app/_data/page/shell-store";
import { useDocumentTitle } from "@/app/_data/sessions/session-title";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/notice";
import { inSpace } from "@/app/_ui/page-space";
import { useSpace } from "@/app/_ui/use-space";

// Every page preloads this one; a script of its own would hold the workspace twice.
const Workspace = dynamic(() => import("./workspace").then((part) => part.Workspace));

export interface MissingPageProps {
  title: string;
  icon: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

export function MissingPage({ title, icon, children, action }: MissingPageProps) {
  const space = useSpace();
  useDocumentTitle(title);
  return (
    <Workspace sessionId={null} heading={title}>
      <div className="m-auto">
        <EmptyState
          icon={icon}
          title={title}
          action={
            action ?? (
              <>
                <Button asChild variant="primary">
                  <Link href={inSpace("/", space)}>New chat</Link>
                </Button>
                <Button onClick={() => shellStore.openPalette()}>
                  <Search aria-hidden />
                  Search
                </Button>
              </>
            )
          }
        >
          {children}
        </EmptyState>
      </div>
    </Workspace>
  );
}
