"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { useForkSession } from "@/app/_data/sessions/use-session-mutations";
import { useSession } from "@/app/_data/sessions/use-sessions";
import { InputField } from "@/app/_ui/fields";
import { Switch } from "@/app/_ui/toggles";

export interface ForkDialogProps {
  readonly sessionId: string;
  readonly messageId: string;
  readonly onClose: () => void;
}

interface ForkForm {
  /** `null` until it is edited. */
  readonly title: string | null;
  readonly withSideBranches: boolean;
}

export function ForkDialog({ sessionId, messageId, onClose }: ForkDialogProps) {
  const router = useRouter();
  const fork = useForkSession();
  const { data } = useSession(sessionId);
  // A retry after a lost reply finds the same fork.
  const [id] = useState(() => crypto.randomUUID());
  const branchesId = useId();
  const suggested = data ? `${data.session.title} (branch)` : "";
  const form = useForm({
    initial: { title: null, withSideBranches: false } as ForkForm,
    save: ({ title, withSideBranches }) => {
      const chosen = (title ?? suggested).trim();
      return fork.mutateAsync({
        ...{ sessionId, id, messageId, withSideBranches },
        ...(chosen && { title: chosen }),
      });
    },
    onSaved: (session) => {
      onClose();
      router.push(sessionAddress(session.id));
    },
  });
  const { title, withSideBranches } = form.values;

  return (
    <FormDialog
      form={form}
      title="Branch in new chat"
      description="The new chat starts with everything up to this message. This chat doesn't change."
      saveLabel="Create"
      onClose={onClose}
    >
      <InputField
        label="Title"
        maxLength={200}
        value={title ?? suggested}
        onChange={(event) => form.change({ title: event.target.value })}
      />
      <div className="flex items-center gap-3">
        <Switch
          id={branchesId}
          checked={withSideBranches}
          onChange={(isOn) => form.change({ withSideBranches: isOn })}
        />
        <label htmlFor={branchesId} className="text-sm">
          Include side branches
          <span className="block text-faint text-xs">
            Other versions of these messages and their replies
          </span>
        </label>
      </div>
    </FormDialog>
  );
}
