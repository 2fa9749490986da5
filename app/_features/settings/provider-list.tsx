"use client";

import { Ellipsis, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { keyWords } from "@/app/_data/settings/key-words";
import { useDeleteProvider } from "@/app/_data/settings/use-settings";
import { Badge } from "@/app/_ui/badge";
import { Button, IconButton } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/dialog";
import { Menu, MenuItem } from "@/app/_ui/menu";
import { EmptyState } from "@/app/_ui/notice";
import { SettingsCard, SettingsGroup, SettingsLine } from "@/app/_ui/settings-section";
import type { ProviderSettingWire, SettingsWire } from "@/lib/chat/wire/settings";
import { ProviderDialog } from "./provider-dialog";
import { typeFacts, typeOf } from "./provider-form";

type OpenView =
  | { view: "form"; provider: ProviderSettingWire | null }
  | { view: "removal"; provider: ProviderSettingWire };

export function ProviderList({ settings }: { settings: SettingsWire }) {
  const [open, setOpen] = useState<OpenView | null>(null);
  const { providers } = settings;
  return (
    <SettingsGroup
      title="Providers"
      note="Keys stay on the server. Only the last four characters are shown."
      action={
        <Button size="sm" onClick={() => setOpen({ view: "form", provider: null })}>
          <Plus aria-hidden />
          Add provider
        </Button>
      }
    >
      <SettingsCard>
        {providers.length === 0 && (
          <EmptyState title="No providers yet">
            You're using the scripted demo. Add a key or start a local model server.
          </EmptyState>
        )}
        {providers.map((provider) => (
          <ProviderLine
            key={provider.id}
            provider={provider}
            onEdit={() => setOpen({ view: "form", provider })}
            onRemove={() => setOpen({ view: "removal", provider })}
          />
        ))}
      </SettingsCard>
      {open?.view === "form" && (
        <ProviderDialog
          provider={open.provider}
          others={providers.filter(({ id }) => id !== open.provider?.id)}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.view === "removal" && (
        <ProviderRemoval provider={open.provider} onClose={() => setOpen(null)} />
      )}
    </SettingsGroup>
  );
}

interface ProviderLineProps {
  provider: ProviderSettingWire;
  onEdit: () => void;
  onRemove: () => void;
}

function ProviderLine({ provider, onEdit, onRemove }: ProviderLineProps) {
  const { name, keyHint, baseUrl, fromEnvironment } = provider;
  const kind = typeFacts(typeOf(provider)).label;
  return (
    <SettingsLine
      title={
        <>
          {name}
          {kind !== name && <Badge>{kind}</Badge>}
          {fromEnvironment && <Badge tone="accent">for everyone</Badge>}
        </>
      }
      note={[keyWords(keyHint), baseUrl].filter(Boolean).join(" · ")}
    >
      {fromEnvironment ? null : (
        <Menu
          trigger={
            <IconButton label={`Actions for ${name}`} tooltip="none">
              <Ellipsis aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil aria-hidden />} onSelect={onEdit}>
            Edit
          </MenuItem>
          <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={onRemove}>
            Remove
          </MenuItem>
        </Menu>
      )}
    </SettingsLine>
  );
}

interface ProviderRemovalProps {
  provider: ProviderSettingWire;
  onClose: () => void;
}

function ProviderRemoval({ provider, onClose }: ProviderRemovalProps) {
  const removal = useDeleteProvider();
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${provider.name}?`}
      confirmLabel="Remove"
      busy={removal.isPending}
      onConfirm={() => removal.mutate(provider.id, { onSuccess: onClose, onError: toastError })}
    >
      This deletes its key. Chats that used its models are kept and continue with another model.
    </ConfirmDialog>
  );
}
