"use client";

import { Plus } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type Form, useForm } from "@/app/_data/forms/use-form";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/dialog";
import { InputField, SecretField } from "@/app/_ui/fields";
import { countOf, formatTokens } from "@/app/_ui/format-amount";
import { EmptyState, ErrorNotice } from "@/app/_ui/notice";
import { SettingsCard, SettingsGroup, SettingsLine } from "@/app/_ui/settings-section";
import type { ToolServerWire, ToolsWire, ToolWire } from "@/lib/chat/wire/tools";
import { ToolLine } from "./tool-line";
import { useReadServer, useRemoveServer, useSignIn, useWriteServer } from "./use-tools";

type Editing = { readonly server: ToolServerWire | null } | null;

export function ToolServers({ tools: { tools, servers } }: { tools: ToolsWire }) {
  const problem = useSearchParams().get("problem");
  const [editing, setEditing] = useState<Editing>(null);
  const [removing, setRemoving] = useState<ToolServerWire | null>(null);
  return (
    <SettingsGroup
      title="MCP servers"
      note="Grove doesn't verify what servers say about themselves."
      action={
        <Button size="sm" onClick={() => setEditing({ server: null })}>
          <Plus aria-hidden />
          Add server
        </Button>
      }
    >
      {problem !== null && <ErrorNotice>{problem}</ErrorNotice>}
      {servers.length === 0 && (
        <SettingsCard>
          <EmptyState title="No servers yet">
            Add one by its address, and choose which of its tools a model may use.
          </EmptyState>
        </SettingsCard>
      )}
      {servers.map((server) => (
        <SettingsCard key={server.id}>
          <ServerLine
            server={server}
            size={sizeOf(tools.filter(({ serverId }) => serverId === server.id))}
            onEdit={() => setEditing({ server })}
            onRemove={() => setRemoving(server)}
          />
          {tools
            .filter(({ serverId }) => serverId === server.id)
            .map((tool) => (
              <ToolLine key={tool.name} tool={tool} />
            ))}
        </SettingsCard>
      ))}
      {editing && <ServerDialog server={editing.server} onClose={() => setEditing(null)} />}
      {removing && <Removal server={removing} onClose={() => setRemoving(null)} />}
    </SettingsGroup>
  );
}

function sizeOf(tools: readonly ToolWire[]): string | null {
  const offered = tools.filter(({ policy }) => policy !== "off");
  if (offered.length === 0) return null;
  const tokens = offered.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0);
  return `${countOf(offered.length, "tool")}, about ${formatTokens(tokens)}`;
}

interface ServerLineProps {
  readonly server: ToolServerWire;
  readonly size: string | null;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function ServerLine({ server, size, onEdit, onRemove }: ServerLineProps) {
  const reading = useReadServer();
  const signingIn = useSignIn();
  const { id, name, url, problem, lastLines, leftOut, keyHint, signIn } = server;
  return (
    <SettingsLine
      title={
        <>
          {name}
          {signIn === "needed" && <Badge tone="accent">Sign in</Badge>}
          {signIn === "done" && <Badge>Signed in</Badge>}
        </>
      }
      note={
        <>
          {url ?? "A program of the configuration file"}
          {keyHint !== null && ` · key ends in ${keyHint}`}
          {size !== null && <span className="block">{size}</span>}
          {problem !== null && <span className="block text-danger">{problem}</span>}
          {lastLines.length > 0 && (
            <code className="mt-1 block whitespace-pre-wrap font-mono">{lastLines.join("\n")}</code>
          )}
          {leftOut.length > 0 && <span className="block">Left out: {leftOut.join("; ")}.</span>}
        </>
      }
    >
      <div className="flex flex-wrap gap-2">
        {signIn !== "none" && (
          <Button
            size="sm"
            variant={signIn === "needed" ? "primary" : "quiet"}
            busy={signingIn.isPending}
            onClick={() => signingIn.mutate(id, { onError: toastError })}
            aria-label={`Sign in to ${name}`}
          >
            Sign in
          </Button>
        )}
        <Button
          size="sm"
          busy={reading.isPending}
          onClick={() => reading.mutate(id, { onError: toastError })}
          aria-label={`Read again: the tools of ${name}`}
        >
          Read again
        </Button>
        {url !== null && (
          <>
            <Button size="sm" onClick={onEdit} aria-label={`Edit ${name}`}>
              Edit
            </Button>
            <Button size="sm" variant="ghost" onClick={onRemove} aria-label={`Remove ${name}`}>
              Remove
            </Button>
          </>
        )}
      </div>
    </SettingsLine>
  );
}

function Removal({ server, onClose }: { server: ToolServerWire; onClose: () => void }) {
  const removing = useRemoveServer();
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${server.name}?`}
      confirmLabel="Remove"
      busy={removing.isPending}
      onConfirm={() => removing.mutate(server.id, { onSuccess: onClose, onError: toastError })}
    >
      Its key and its tools leave Grove. What they answered stays in your chats.
    </ConfirmDialog>
  );
}

interface ServerDialogProps {
  readonly server: ToolServerWire | null;
  readonly onClose: () => void;
}

function ServerDialog({ server, onClose }: ServerDialogProps) {
  const [id] = useState(() => server?.id ?? crypto.randomUUID());
  const writing = useWriteServer();
  const form = useForm({
    initial: {
      name: server?.name ?? "",
      url: server?.url ?? "",
      header: server?.header ?? "",
      key: "",
    },
    save: ({ name, url, header, key }) => {
      const body = { name, url: url.trim(), header: header.trim() === "" ? null : header.trim() };
      return writing.mutateAsync({ id, ...body, ...(key !== "" && { key }) });
    },
    onSaved: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={server ? `Edit ${server.name}` : "Add a server"}
      description="Its tools ask you before each call, until you say otherwise."
      saveLabel="Save"
      onClose={onClose}
    >
      <ServerFields server={server} form={form} />
    </FormDialog>
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
  readonly form: Form<ServerForm>;
}

function ServerFields({ server, form }: ServerFieldsProps) {
  return (
    <>
      <InputField
        label="Name"
        hint="Shown beside everything it does."
        required
        maxLength={50}
        autoComplete="off"
        {...form.text("name")}
      />
      <InputField
        label="Address"
        hint="Of an MCP server over HTTP; it often ends in /mcp."
        type="url"
        required
        spellCheck={false}
        autoComplete="off"
        {...form.text("url")}
      />
      <SecretField
        label="Key"
        optional
        hint={
          server?.keyHint
            ? `Ends in ${server.keyHint}. Leave blank to keep it; a new address needs it again.`
            : "Stored on the server and never shown again. Leave blank to sign in on the server's own page."
        }
        {...form.text("key")}
      />
      <InputField
        label="Key header"
        optional
        hint="Default: Authorization: Bearer"
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        {...form.text("header")}
      />
    </>
  );
}
