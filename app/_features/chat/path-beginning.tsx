"use client";

import { useEffect, useEffectEvent } from "react";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";
import { Kbd } from "@/app/_ui/kbd";
import { complain } from "@/app/_ui/toast-error";
import { takeOut } from "./put-back";
import type { ChatSession } from "./use-chat-session";

/** An empty path, with the way back to the branch it was started from. */
export function PathBeginning({ session }: { session: ChatSession }) {
  return (
    <div className="flex flex-1 items-center justify-center overflow-y-auto">
      {session.left ? (
        <AskedAnew session={session} />
      ) : (
        <EmptyState title="Empty chat">
          Your next message starts it. Other branches stay in the tree.
        </EmptyState>
      )}
    </div>
  );
}

function AskedAnew({ session }: { session: ChatSession }) {
  const { sessionId } = session;
  const goBack = () => {
    takeOut(sessionId);
    session.goBack().catch(complain);
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    if (document.querySelector('[role="dialog"], [role="menu"]')) return;
    event.preventDefault();
    goBack();
  });
  useEffect(() => {
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <EmptyState
      title="Editing your first question"
      action={
        <Button onClick={goBack}>
          Back
          <Kbd keys={["Esc"]} />
        </Button>
      }
    >
      Sending it starts a new branch. The earlier one stays in the tree.
    </EmptyState>
  );
}
