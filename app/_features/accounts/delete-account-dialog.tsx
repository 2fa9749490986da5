"use client";

import { useState } from "react";
import { api } from "@/app/_api/api";
import { useExported } from "@/app/_data/accounts/use-account";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { InputField } from "@/app/_ui/fields";
import { AccountDownloads } from "./account-downloads";
import { enter } from "./door";

export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const [isAsked, setIsAsked] = useState(false);
  const isExported = useExported(isAsked);
  const form = useForm({
    initial: { email: "" },
    save: async (given) => {
      await api("DELETE /api/account", { body: given });
      enter("/sign-in");
    },
  });
  const isConfirmed = isExported && form.values.email.trim().toLowerCase() === email;
  return (
    <FormDialog
      form={form}
      title="Delete your account?"
      saveLabel="Delete account"
      saveVariant="danger"
      canSave={isConfirmed}
      onClose={onClose}
    >
      <p className="text-sm">
        Your chats, projects, memory, files, keys and devices are deleted here for good. Backups
        made before keep them until they are replaced. Projects that only you own go with you, also
        for their members: make one of them the owner first, if they are to stay.
      </p>
      <AccountDownloads
        label={isExported ? "Download again" : "1. Download everything"}
        variant={isExported ? "quiet" : "primary"}
        onDownload={() => setIsAsked(true)}
      />
      {isAsked && !isExported && (
        <p role="status" className="text-muted text-sm">
          You can go on once the download has ended.
        </p>
      )}
      <InputField
        label={`2. Enter ${email}`}
        autoComplete="off"
        disabled={!isExported}
        {...form.text("email")}
      />
    </FormDialog>
  );
}
