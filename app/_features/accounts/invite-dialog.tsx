"use client";

import { useInviteSomebody } from "@/app/_data/accounts/use-account";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { SwitchLine } from "@/app/_ui/toggles";

export function InviteDialog({
  canInviteAdmins,
  onClose,
}: {
  canInviteAdmins: boolean;
  onClose: () => void;
}) {
  const inviting = useInviteSomebody();
  const form = useForm({
    initial: { email: "", isAdmin: false },
    save: ({ email, isAdmin }) =>
      inviting.mutateAsync({ role: isAdmin ? "admin" : "member", email: email.trim() || null }),
  });
  if (inviting.data) return <InviteLink link={inviting.data.link} onClose={onClose} />;
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

function InviteLink({ link, onClose }: { link: string; onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title="Send this link"
      description="It works once, within 7 days. Copy it now, it won't be shown again."
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <div className="flex items-start gap-2">
        <code className="select-all break-all font-mono text-xs">{link}</code>
        <CopyButton text={link} label="Copy link" size="sm" />
      </div>
    </Dialog>
  );
}
