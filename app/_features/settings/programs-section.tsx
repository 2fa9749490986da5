"use client";

import { Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { useBlocksOf } from "@/app/_data/memory/use-blocks";
import { newKeyFor } from "@/app/_data/page/arrival";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/dialog";
import { countOf, formatCost } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { EmptyState } from "@/app/_ui/notice";
import { RelativeTime } from "@/app/_ui/relative-time";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import type { KeyWire } from "@/lib/chat/wire/keys";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { aliasText, KeyChangeDialog } from "./key-changes";
import { KeyDialog } from "./key-dialog";
import { scopeWords } from "./mcp-scope-fields";
import { usePlaceName } from "./place-field";
import { useKeys, useRevokeKey } from "./use-keys";

export function ProgramsSection() {
  const keys = useKeys();
  const [adding, setAdding] = useState<{ readonly folder: string | null } | null>(null);
  const [revoking, setRevoking] = useState<KeyWire | null>(null);
  const [changing, setChanging] = useState<KeyWire | null>(null);
  useEffect(() => {
    const folder = newKeyFor.take();
    if (folder !== null) setAdding({ folder });
  }, []);
  if (!keys.data) return <SectionPending query={keys} />;
  const { keys: all } = keys.data;
  return (
    <SettingsSection
      title="API keys"
      note="Use Grove from other apps through an OpenAI-compatible or Anthropic-compatible API, or MCP."
    >
      <SettingsCard>
        <AddressLine title="Base URL of the API" address={`${location.origin}/v1`} />
        <AddressLine title="Address of the MCP server" address={`${location.origin}/mcp`} />
      </SettingsCard>
      <SettingsGroup
        title="Keys and connected apps"
        note="A key is shown once, and stored only as a hash. An app that you let in by signing in has none."
        action={
          <Button size="sm" onClick={() => setAdding({ folder: null })}>
            <Plus aria-hidden />
            Create key
          </Button>
        }
      >
        <SettingsCard>
          {all.length === 0 && (
            <EmptyState title="No keys yet">No program can use Grove until it has one.</EmptyState>
          )}
          {all.map((key) => (
            <KeyLine
              key={key.id}
              shown={key}
              onChange={() => setChanging(key)}
              onRevoke={() => setRevoking(key)}
            />
          ))}
        </SettingsCard>
      </SettingsGroup>
      {adding && <KeyDialog {...adding} onClose={() => setAdding(null)} />}
      {changing && <KeyChangeDialog shown={changing} onClose={() => setChanging(null)} />}
      {revoking && <Revocation shown={revoking} onClose={() => setRevoking(null)} />}
    </SettingsSection>
  );
}

function AddressLine({ title, address }: { title: string; address: string }) {
  return (
    <SettingsLine title={title} note={<code className="select-all font-mono">{address}</code>}>
      <CopyButton text={address} label={`Copy: ${title}`} size="sm" />
    </SettingsLine>
  );
}

interface KeyLineProps {
  readonly shown: KeyWire;
  readonly onChange: () => void;
  readonly onRevoke: () => void;
}

function KeyLine({ shown, onChange, onRevoke }: KeyLineProps) {
  const { name, hint, usesApi, canWrite, usesMemory, keeps, models, monthlyLimit, monthCost } =
    shown;
  const blocks = useBlocksOf(shown.space, { enabled: shown.blocks !== null }).data;
  const place = usePlaceName(shown.space);
  const aliases = aliasText(shown.aliases).replaceAll("\n", ", ");
  const limit = monthlyLimit === null ? "" : ` of ${formatCost(monthlyLimit)}`;
  return (
    <SettingsLine
      title={
        <>
          <bdi>{name}</bdi>
          {shown.revokedAt !== null && <Badge>Revoked</Badge>}
          {usesApi && !canWrite && <Badge>Read only</Badge>}
          {usesApi && canWrite && keeps === "log" && <Badge>Keeps a log</Badge>}
          {usesApi && canWrite && keeps === "nothing" && <Badge>Keeps nothing</Badge>}
          {usesMemory && (
            <Badge tone="accent">{shown.blocks ? "Uses part of memory" : "Uses memory"}</Badge>
          )}
          {shown.isApp && <Badge>Connected app</Badge>}
          {shown.mcp.length > 0 && <Badge tone="accent">MCP</Badge>}
        </>
      }
      note={
        <>
          {!shown.isApp && <>Ends in {hint} · </>}
          {place !== null && <>in {place} · </>}
          {usesApi && (
            <>
              {models === null ? "all models" : models.join(", ")} ·{" "}
              {aliases !== "" && <>{aliases} · </>}
              {formatCost(monthCost)}
              {limit} this month ·{" "}
            </>
          )}
          {shown.maxRunning !== null && <>{countOf(shown.maxRunning, "answer")} at once · </>}
          {shown.keptDays !== null && <>deleted after {countOf(shown.keptDays, "day")} · </>}
          {shown.mcp.length > 0 && <>MCP: {scopeWords(shown.mcp)} · </>}
          {shown.blocks && blocks && <>memory: {namesOf(shown.blocks, blocks)} · </>}
          {shown.lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              used <RelativeTime at={shown.lastUsedAt} />
            </>
          )}
        </>
      }
    >
      {shown.revokedAt === null && usesApi && (
        <Button size="sm" onClick={onChange} aria-label={`Change ${name}`}>
          Change
        </Button>
      )}
      {shown.revokedAt === null && (
        <Button size="sm" onClick={onRevoke} aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      )}
    </SettingsLine>
  );
}

function namesOf(ids: readonly string[], blocks: readonly BlockWire[]): string {
  const labels = blocks.filter(({ id }) => ids.includes(id)).map(({ label }) => isolated(label));
  return labels.length === 0 ? "none" : labels.join(", ");
}

function Revocation({ shown, onClose }: { shown: KeyWire; onClose: () => void }) {
  const revoking = useRevokeKey();
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Revoke ${shown.name}?`}
      confirmLabel="Revoke"
      busy={revoking.isPending}
      onConfirm={() => revoking.mutate(shown.id, { onSuccess: onClose, onError: toastError })}
    >
      Programs that use it are refused from now on. Their chats stay.
    </ConfirmDialog>
  );
}
