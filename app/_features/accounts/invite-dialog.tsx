"use client";

import { api } from "@/app/_api/api";
import { whenConfirmed } from "@/app/_data/accounts/confirm-person";
import { usePeopleAction } from "@/app/_data/accounts/use-account";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { SwitchLine } from "@/app/_ui/toggles";
import type { PersonWire } from "@/lib/chat/wire/accounts";

export function InviteDialog({
  canInviteAdmins,
  onClose,
}: {
  canInviteAdmins: boolean;
  onClose: () => void;
}) {
  const inviting = usePeopleAction((body: { role: "admin" | "member"; email: string | null }) =>
    api("POST /api/people/invites", { body }),
  );
  const form = useForm({
    initial: { email: "", isAdmin: false },
    save: ({ email, isAdmin }) =>
      inviting.mutateAsync({ role: isAdmin ? "admin" : "member", email: email.trim() || null }),
  });
  if (inviting.data) return <MadeLink {...inviting.data} within="7 days" onClose={onClose} />;
  return (
    <FormDialog form={form} title="Invite somebody" saveLabel="Make link" onClose={onClose}>
      <InputField
        label="E-mail"
        optional
        type="email"
        hint="Then only this address can use the link."
        {...form.text("email")}
      />
      {canInviteAdmins && (
        <SwitchLine
          label="Administrator"
          note="May invite and remove people."
          checked={form.values.isAdmin}
          onChange={(isAdmin) => form.change({ isAdmin })}
        />
      )}
    </FormDialog>
  );
}

export interface PasswordLinkDialogProps {
  person: Pick<PersonWire, "id" | "name">;
  onClose: () => void;
}

export function PasswordLinkDialog({ person, onClose }: PasswordLinkDialogProps) {
  const { id: personId, name } = person;
  const making = usePeopleAction(() =>
    whenConfirmed(() => api("POST /api/people/:personId/link", { params: { personId } })),
  );
  const form = useForm({ initial: {}, save: () => making.mutateAsync(undefined) });
  if (making.data) return <MadeLink {...making.data} within="a day" onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={`Password link for ${name}`}
      saveLabel="Make link"
      onClose={onClose}
    >
      <p className="text-muted text-sm">
        {name} chooses a new password with it. Anyone who opens the link gets into the account and
        can read it, so send it to {name} alone. Its use signs {name} out everywhere and turns
        two-factor sign-in off. The log shows that you made it.
      </p>
    </FormDialog>
  );
}

interface MadeLinkProps {
  link: string;
  within: string;
  onClose: () => void;
}

function MadeLink({ link, within, onClose }: MadeLinkProps) {
  return (
    <Dialog
      onClose={onClose}
      title="Send this link"
      description={`It works once, within ${within}. Copy it now, it won't be shown again.`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <div className="flex items-start gap-2">
        <code className="select-all break-all font-mono text-xs">{link}</code>
        <CopyButton text={link} label="Copy link" size="sm" />
      </div>
    </Dialog>
  );
}
