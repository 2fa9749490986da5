"use client";

import { type FormEvent, useId, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import type { ToolServerWire } from "@/lib/chat/wire/tools";
import { useWriteServer } from "./use-tools";

export interface ServerDialogProps {
  /** `null` adds one. */
  readonly server: ToolServerWire | null;
  readonly onClose: () => void;
}

export function ServerDialog({ server, onClose }: ServerDialogProps) {
  const formId = useId();
  const [id] = useState(() => server?.id ?? crypto.randomUUID());
  const [form, setForm] = useState<ServerForm>({
    name: server?.name ?? "",
    url: server?.url ?? "",
    header: server?.header ?? "",
    key: "",
  });
  const writing = useWriteServer();
  const refusal = writing.error instanceof ApiError ? writing.error : null;
  const problemOf = (field: keyof ServerForm) =>
    refusal?.field === field ? refusal.message : null;
  const change = (next: Partial<ServerForm>) => setForm((before) => ({ ...before, ...next }));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { name, url, header, key } = form;
    const body = { name, url: url.trim(), header: header.trim() === "" ? null : header.trim() };
    writing.mutate({ id, ...body, ...(key !== "" && { key }) }, { onSuccess: onClose });
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={server ? `Edit ${server.name}` : "Add a server"}
      description="Its tools ask you before each call, until you say otherwise."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={writing.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <ServerFields server={server} form={form} problemOf={problemOf} onChange={change} />
        {writing.error && !refusal?.field && (
          <ErrorNotice>{errorSentence(writing.error)}</ErrorNotice>
        )}
      </form>
    </Dialog>
  );
}

interface ServerForm {
  readonly name: string;
  readonly url: string;
  readonly header: string;
  readonly key: string;
}

interface ServerFieldsProps {
  readonly server: ToolServerWire | null;
  readonly form: ServerForm;
  readonly problemOf: (field: keyof ServerForm) => string | null;
  readonly onChange: (next: Partial<ServerForm>) => void;
}

function ServerFields({ server, form, problemOf, onChange }: ServerFieldsProps) {
  return (
    <>
      <InputField
        label="Name"
        hint="Shown beside everything it does."
        error={problemOf("name")}
        value={form.name}
        required
        maxLength={50}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <InputField
        label="Address"
        hint="Of an MCP server over HTTP; it often ends in /mcp."
        error={problemOf("url")}
        type="url"
        required
        value={form.url}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ url: event.target.value })}
      />
      <InputField
        label="Key"
        optional
        hint={
          server?.keyHint
            ? `Ends in ${server.keyHint}. Leave blank to keep it; a new address needs it again.`
            : "Stored on the server and never shown again. Leave blank to sign in on the server's own page."
        }
        error={problemOf("key")}
        type="password"
        value={form.key}
        maxLength={500}
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        spellCheck={false}
        onChange={(event) => onChange({ key: event.target.value })}
      />
      <InputField
        label="Header of the key"
        optional
        hint="Authorization, as Bearer, unless you name another."
        error={problemOf("header")}
        value={form.header}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ header: event.target.value })}
      />
    </>
  );
}
