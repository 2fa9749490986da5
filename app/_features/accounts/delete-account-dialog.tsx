"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { api, pathOf } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { useExported } from "@/app/_data/accounts/use-account";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { enter } from "./use-door";

export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const formId = useId();
  const [given, setGiven] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const isExported = useExported(isAsked);
  const deleting = useMutation({
    mutationFn: () => api("DELETE /api/account", { body: { email: given } }),
    onSuccess: () => enter("/sign-in"),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isExported) deleting.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete your account?"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            type="submit"
            form={formId}
            busy={deleting.isPending}
            disabled={!isExported || given.trim().toLowerCase() !== email}
          >
            Delete account
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4 text-sm">
        <p>
          Your chats, memory, files, keys and devices are deleted here for good. Backups made before
          keep them until they are replaced.
        </p>
        <Button asChild variant={isExported ? "quiet" : "primary"}>
          <a href={pathOf("GET /api/export")} onClick={() => setIsAsked(true)}>
            {isExported ? "Download again" : "1. Download everything"}
          </a>
        </Button>
        {isAsked && !isExported && (
          <p role="status" className="text-muted">
            You can go on once the download has ended.
          </p>
        )}
        <InputField
          label={`2. Enter ${email}`}
          autoComplete="off"
          disabled={!isExported}
          value={given}
          onChange={(event) => setGiven(event.target.value)}
        />
        {deleting.isError && <ErrorNotice>{errorSentence(deleting.error)}</ErrorNotice>}
      </form>
    </Dialog>
  );
}
