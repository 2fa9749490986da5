"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import { useOutgoing } from "@/app/_data/chat/outbox-delivery";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/dialog";
import { enter } from "./door";

/** Unsent messages stay in this browser for the next time, and the person reads that first. */
export function SignOutButton() {
  const unsent = useOutgoing().length;
  const [isAsking, setIsAsking] = useState(false);
  const leaving = useMutation({
    mutationFn: () => api("POST /api/account/sign-out"),
    onSuccess: () => enter("/sign-in"),
    onError: toastError,
  });
  return (
    <>
      <Button
        size="sm"
        busy={leaving.isPending}
        onClick={() => (unsent > 0 ? setIsAsking(true) : leaving.mutate())}
      >
        Sign out
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Sign out with unsent messages?"
        confirmLabel="Sign out"
        busy={leaving.isPending}
        onConfirm={() => leaving.mutate()}
      >
        {unsent === 1 ? "1 message is" : `${unsent} messages are`} not sent yet. They stay in this
        browser and are sent when you sign in here again. Nobody else who signs in here sees or
        sends them.
      </ConfirmDialog>
    </>
  );
}
