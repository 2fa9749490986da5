"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import { useOutgoing } from "@/app/_data/chat/outbox-delivery";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/dialog";
import { enter } from "./door";

export function SignOutButton() {
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <>
      <Button size="sm" busy={isLeaving} onClick={() => setIsLeaving(true)}>
        Sign out
      </Button>
      {isLeaving && <SigningOut onStay={() => setIsLeaving(false)} />}
    </>
  );
}

/** Unsent messages stay in this browser, so the person is asked first. */
export function SigningOut({ onStay }: { onStay: () => void }) {
  const unsent = useOutgoing().length;
  const [isAsking] = useState(unsent > 0);
  const leaving = useMutation({
    mutationFn: () => api("POST /api/account/sign-out"),
    onSuccess: () => enter("/sign-in"),
    onError: (error) => {
      toastError(error);
      onStay();
    },
  });
  const begin = useEffectEvent(() => !isAsking && leaving.mutate());
  useEffect(() => void begin(), []);
  return (
    <ConfirmDialog
      open={isAsking}
      onClose={onStay}
      title="Sign out with unsent messages?"
      confirmLabel="Sign out"
      busy={leaving.isPending}
      onConfirm={() => leaving.mutate()}
    >
      {unsent === 1 ? "1 message is" : `${unsent} messages are`} not sent yet. They stay in this
      browser and are sent when you sign in here again. Nobody else who signs in here sees or sends
      them.
    </ConfirmDialog>
  );
}
