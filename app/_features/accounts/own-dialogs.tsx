"use client";

import { type FormEvent, useId, useState } from "react";
import { api } from "@/app/_api/api";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { useAccountAction, useAccountChange } from "@/app/_data/accounts/use-account";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";

export function NameDialog({ name: present, onClose }: { name: string; onClose: () => void }) {
  const formId = useId();
  const [name, setName] = useState(present);
  const renaming = useAccountChange((given: string) =>
    api("PATCH /api/account", { body: { name: given } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate(name, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rename"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={renaming.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <InputField
          label="Name"
          required
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const changing = useAccountAction((body: { current: string; next: string }) =>
    api("PUT /api/account/password", { body }),
  );
  const refusal = changing.error instanceof ApiError ? changing.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate({ current, next }, { onSuccess: onClose });
  };
  const ofNext = refusal?.code === "bad-password" ? refusal.message : null;
  const ofCurrent = refusal?.code === "wrong-credentials" ? refusal.message : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Change password"
      description="Every other device is signed out."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={changing.isPending}>
            Change
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        {refusal && !ofNext && !ofCurrent && <ErrorNotice>{errorSentence(refusal)}</ErrorNotice>}
        <InputField
          label="Present password"
          type="password"
          autoComplete="current-password"
          required
          error={ofCurrent}
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <InputField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 10 characters."
          required
          error={ofNext}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
