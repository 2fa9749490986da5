"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { Failure } from "@/app/_api/failure";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";
import { countOf } from "@/app/_ui/format-amount";
import { ErrorNotice } from "@/app/_ui/notice";
import { SettingsLine } from "@/app/_ui/settings-section";
import { toastDone } from "@/app/_ui/toast";
import type { DataCountsWire } from "@/lib/chat/wire/data";
import {
  deletePhrase,
  useDataCounts,
  useDeleteEverything,
  useDeletion,
  useStopDeleting,
} from "./use-data";

export function DeleteLine() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <SettingsLine
      title="Delete everything"
      note="Permanently deletes chats, memory, usage, settings and keys, but no projects or backups. Consider exporting first."
    >
      <Button size="sm" variant="danger" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      {isAsking && <DeleteDialog onClose={() => setIsAsking(false)} />}
    </SettingsLine>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const stopping = useStopDeleting();
  const deleting = useDeleteEverything((gone) => {
    onClose();
    if (gone.isStopped) toastDone(`Stopped. Deleted: ${chatsOf(gone)}. The rest is still here.`);
    else toastDone(`Deleted: ${countsSentence(gone)}`);
    if (!gone.isStopped) router.push("/");
  });
  const { isDeleting, error } = useDeletion();
  const counts = useDataCounts({ isDeleting });
  const form = useForm({
    initial: { typed: "" },
    // The deletion outlives its dialog, so it is not awaited.
    save: async () => {
      stopping.reset();
      deleting.mutate();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Delete everything?"
      saveLabel="Delete everything"
      saveVariant="danger"
      canSave={form.values.typed.trim().toLowerCase() === deletePhrase}
      busy={isDeleting}
      cancelLabel={isDeleting ? null : "Cancel"}
      otherButtons={
        isDeleting && (
          <Button onClick={() => stopping.mutate()} busy={!stopping.isIdle && !stopping.isError}>
            Stop
          </Button>
        )
      }
      onClose={onClose}
    >
      {!isDeleting && (
        <p className="text-muted text-sm">
          {counts.data ? `This deletes ${countsSentence(counts.data)}` : "This deletes everything"},
          and all settings. It cannot be undone.
        </p>
      )}
      <InputField
        label={`Type “${deletePhrase}”`}
        autoComplete="off"
        autoFocus
        {...form.text("typed")}
      />
      <div role="status" className="text-muted text-sm empty:hidden">
        {isDeleting && (
          <p>
            Deleting…{counts.data && ` ${countOf(counts.data.sessions, "chat")} left.`} It goes on
            if you close this page. What is deleted cannot come back.
          </p>
        )}
      </div>
      {error && <ErrorNotice>{errorSentence(error)}</ErrorNotice>}
      {isDeleting && <Failure of={stopping} />}
    </FormDialog>
  );
}

function chatsOf({ sessions, messages }: Pick<DataCountsWire, "sessions" | "messages">): string {
  return `${countOf(sessions, "chat")} with ${countOf(messages, "message")}`;
}

function countsSentence({
  sessions,
  messages,
  documents,
  providers,
  calls,
}: DataCountsWire): string {
  return [
    chatsOf({ sessions, messages }),
    countOf(documents, "memory document"),
    `${countOf(providers, "provider")}${providers > 0 ? " with keys" : ""}`,
    countOf(calls, "usage record"),
  ].join(", ");
}
