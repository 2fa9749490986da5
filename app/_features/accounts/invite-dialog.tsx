"use client";

import { type FormEvent, useId, useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { useInviteSomebody } from "@/app/_data/accounts/use-account";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { ErrorNotice } from "@/app/_ui/notice";
import { SwitchLine } from "@/app/_ui/switch-line";

export function InviteDialog({
  canInviteAdmins,
  onClose,
}: {
  canInviteAdmins: boolean;
  onClose: () => void;
}) {
  const formId = useId();
  const inviting = useInviteSomebody();
  const [email, setEmail] = useState("");
  const [isAdmin, setIsAdmin] = useState(false);
  if (inviting.data) {
    const { link } = inviting.data;
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title="Send this link"
        description="It works once, within 7 days. Grove sends no mail, and shows it only now."
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <div className="flex items-start gap-2">
          <code className="select-all break-all font-mono text-xs">{link}</code>
          <CopyButton text={link} label="Copy link" size="sm" />
        </div>
      </Dialog>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    inviting.mutate({ role: isAdmin ? "admin" : "member", email: email.trim() || null });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Invite somebody"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={inviting.isPending}>
            Make link
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        {inviting.isError && <ErrorNotice>{errorSentence(inviting.error)}</ErrorNotice>}
        <InputField
          label="E-mail"
          optional
          type="email"
          hint="Then only this address can use the link."
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        {canInviteAdmins && (
          <SwitchLine
            label="Administrator"
            note="May invite and remove people."
            checked={isAdmin}
            onChange={setIsAdmin}
          />
        )}
      </form>
    </Dialog>
  );
}
