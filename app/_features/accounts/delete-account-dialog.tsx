"use client";

import { useState } from "react";
import { api, pathOf } from "@/app/_api/api";
import { useExported } from "@/app/_data/accounts/use-account";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";
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
        Your chats, memory, files, keys and devices are deleted here for good. Backups made before
        keep them until they are replaced.
      </p>
      <Button asChild variant={isExported ? "quiet" : "primary"}>
        <a href={pathOf("GET /api/export")} onClick={() => setIsAsked(true)}>
          {isExported ? "Download again" : "1. Download everything"}
        </a>
      </Button>
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
