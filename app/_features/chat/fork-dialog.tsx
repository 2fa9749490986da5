"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { useForkSession } from "@/app/_data/sessions/use-session-mutations";
import { useSession } from "@/app/_data/sessions/use-sessions";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { Switch } from "@/app/_ui/toggles";

export interface ForkDialogProps {
  readonly sessionId: string;
  /** The last message shared with this session. */
  readonly messageId: string;
  readonly onClose: () => void;
}

export function ForkDialog({ sessionId, messageId, onClose }: ForkDialogProps) {
  const router = useRouter();
  const fork = useForkSession();
  const { data } = useSession(sessionId);
  // Stable, so that a retry after a lost reply finds the same fork.
  const [id] = useState(() => crypto.randomUUID());
  const [title, setTitle] = useState<string | null>(null);
  const [withSideBranches, setWithSideBranches] = useState(false);
  const branchesId = useId();
  const suggested = data ? `${data.session.title} (fork)` : "";

  function submit() {
    const chosen = (title ?? suggested).trim();
    fork.mutate(
      { sessionId, id, messageId, withSideBranches, ...(chosen && { title: chosen }) },
      {
        onSuccess: (session) => {
          onClose();
          router.push(`/s/${encodeURIComponent(session.id)}`);
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Fork to new chat"
      description="The new chat starts with everything up to this message. This chat doesn't change."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={submit} busy={fork.isPending}>
            Fork
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <InputField
          label="Title"
          maxLength={200}
          value={title ?? suggested}
          onChange={(event) => setTitle(event.target.value)}
        />
        <div className="flex items-center gap-3">
          <Switch id={branchesId} checked={withSideBranches} onChange={setWithSideBranches} />
          <label htmlFor={branchesId} className="text-sm">
            Include side branches
            <span className="block text-faint text-xs">
              Other versions of these messages and their replies
            </span>
          </label>
        </div>
        {fork.isError && <ErrorNotice>{errorSentence(fork.error)}</ErrorNotice>}
      </form>
    </Dialog>
  );
}
