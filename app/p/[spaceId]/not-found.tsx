"use client";

import { Folder } from "lucide-react";
import { MissingPage } from "@/app/_shell/missing-page";
import { Button } from "@/app/_ui/button";

export default function ProjectNotFound() {
  return (
    <MissingPage
      title="Project not found"
      icon={<Folder aria-hidden />}
      action={
        <>
          <Button asChild variant="primary">
            <a href="/">My chats</a>
          </Button>
          <Button asChild>
            <a href="/settings?section=deleted">Recently deleted</a>
          </Button>
        </>
      }
    >
      It may have been deleted, or the link is incomplete.
    </MissingPage>
  );
}
