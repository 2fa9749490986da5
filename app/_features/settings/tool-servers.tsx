"use client";

import { Plus } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/dialog";
import { EmptyState, ErrorNotice } from "@/app/_ui/notice";
import { SettingsCard, SettingsGroup, SettingsLine } from "@/app/_ui/settings-section";
import type { ToolServerWire, ToolsWire } from "@/lib/chat/wire/tools";
import { ServerDialog } from "./server-dialog";
import { ToolLine } from "./tool-line";
import { useReadServer, useRemoveServer, useSignIn } from "./use-tools";

type Editing = { readonly server: ToolServerWire | null } | null;

export function ToolServers({ tools: { tools, servers } }: { tools: ToolsWire }) {
  const problem = useSearchParams().get("problem");
  const [editing, setEditing] = useState<Editing>(null);
  const [removing, setRemoving] = useState<ToolServerWire | null>(null);
  return (
    <SettingsGroup
      title="Servers"
      note="Servers of the Model Context Protocol. Names and descriptions are their own; Grove cannot vouch for them."
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

interface ServerLineProps {
  readonly server: ToolServerWire;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function ServerLine({ server, onEdit, onRemove }: ServerLineProps) {
  const reading = useReadServer();
  const signingIn = useSignIn();
  const { id, name, url, problem, leftOut, keyHint, signIn } = server;
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
          {problem !== null && <span className="block text-danger">{problem}</span>}
          {leftOut.length > 0 && <span className="block">Left out: {leftOut.join("; ")}.</span>}
        </>
      }
    >
      {url !== null && (
        <div className="flex flex-wrap gap-2">
          {signIn !== "none" && (
            <Button
              size="sm"
              variant={signIn === "needed" ? "primary" : "quiet"}
              busy={signingIn.isPending}
              onClick={() => signingIn.mutate(id, { onError: (error) => toastError(error) })}
              aria-label={`Sign in to ${name}`}
            >
              Sign in
            </Button>
          )}
          <Button
            size="sm"
            busy={reading.isPending}
            onClick={() => reading.mutate(id, { onError: (error) => toastError(error) })}
            aria-label={`Read again: the tools of ${name}`}
          >
            Read again
          </Button>
          <Button size="sm" onClick={onEdit} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <Button size="sm" variant="ghost" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </div>
      )}
    </SettingsLine>
  );
}

function Removal({ server, onClose }: { server: ToolServerWire; onClose: () => void }) {
  const removing = useRemoveServer();
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${server.name}?`}
      confirmLabel="Remove"
      busy={removing.isPending}
      onConfirm={() =>
        removing.mutate(server.id, { onSuccess: onClose, onError: (error) => toastError(error) })
      }
    >
      Its key and its tools leave Grove. What they answered stays in your chats.
    </ConfirmDialog>
  );
}
