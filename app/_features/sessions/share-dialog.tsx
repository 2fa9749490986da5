"use client";

import { useEffect, useRef, useState } from "react";
import { isFirstTry } from "@/app/_api/first-try";
import { toastError } from "@/app/_api/toast-error";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import {
  audiences,
  useChangeShare,
  useMakeShare,
  useShares,
  useStopShare,
} from "@/app/_data/shares/use-shares";
import { previewedPage, withoutShareLinks } from "@/app/_message/page-file/share-links";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { countOf } from "@/app/_ui/format-amount";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { ErrorNotice } from "@/app/_ui/notice";
import { dateWords, dayOf } from "@/app/_ui/reader-day";
import { saveFile } from "@/app/_ui/save-file";
import { SelectField } from "@/app/_ui/select";
import { toastDone } from "@/app/_ui/toast";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import type { ShareWire } from "@/lib/chat/wire/shares";
import { PagePreview, usePagePreview } from "./page-preview";

export interface ShareDialogProps {
  readonly session: SessionWire;
  readonly onClose: () => void;
}

export function ShareDialog({ session, onClose }: ShareDialogProps) {
  const shares = useShares();
  const known = shares.data?.shares.find(
    ({ sessionId, isTakenDown }) => sessionId === session.id && !isTakenDown,
  );
  const preview = usePagePreview({ sessionId: session.id, as: "share", initial: known?.shows });
  const { data } = preview.page;
  const [terms, setTerms] = useState<ShareTerms>(firstTerms);
  const [making, changing] = [useMakeShare(session.id), useChangeShare()];
  const writing = known ? changing : making;
  const share = async () => {
    const { shown, leafId } = preview;
    const { sha256 } = previewedPage(data ?? "");
    const snapshot = { leafId, shows: shown, sha256 };
    if (known) await changing.mutateAsync({ id: known.id, snapshot, ...changesIn(terms) });
    else await making.mutateAsync({ snapshot, ...changesIn(terms) });
    setTerms(firstTerms);
    toastDone(known ? "The link shows the chat as it is now." : "Link created");
  };
  const save = () => {
    const { page } = previewedPage(data ?? "");
    saveFile(`${sessionTitle(session)}.html`, withoutShareLinks(page));
  };
  const failure = writing.error ?? shares.error;
  return (
    <Dialog
      onClose={onClose}
      title="Share"
      description="A link to this page as it is now. Later messages appear once you update it. Memory, prompts and other chats are never in it."
      width="lg"
      footer={
        <>
          <Button disabled={!data} onClick={save}>
            Save as file
          </Button>
          <Button
            variant="primary"
            disabled={!data || isFirstTry(shares)}
            busy={writing.isPending}
            onClick={() => void share().catch(() => preview.page.refetch())}
          >
            {known ? "Update link" : "Create link"}
          </Button>
        </>
      }
    >
      {shares.data && !shares.data.hasAccounts && (
        <p className="mb-4 text-muted text-sm">
          This Grove answers on this machine only, and so do its links. To send the page elsewhere,
          save it as a file.
        </p>
      )}
      {failure && <ErrorNotice>{failure.message}</ErrorNotice>}
      {known && <KnownLink share={known} />}
      <PagePreview of={preview} onStop={onClose} />
      <TermFields
        terms={terms}
        known={known}
        hasAccounts={shares.data?.hasAccounts ?? false}
        onChange={setTerms}
      />
    </Dialog>
  );
}

function KnownLink({ share }: { share: ShareWire }) {
  const stopping = useStopShare();
  const section = useRef<HTMLElement>(null);
  // It appears above what its person has scrolled to.
  useEffect(() => {
    section.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const stop = () =>
    stopping.mutate(share.id, {
      onSuccess: () => toastDone("The link leads nowhere now."),
      onError: toastError,
    });
  return (
    <section
      ref={section}
      aria-label="Link"
      className="mb-4 rounded-xl border border-line bg-raised px-4 py-3"
    >
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 select-all truncate text-sm">
          {share.link ?? "This installation cannot show the link again. It still works."}
        </code>
        {share.link !== null && <CopyButton text={share.link} label="Copy link" size="sm" />}
        <Button size="sm" busy={stopping.isPending} onClick={stop}>
          Stop sharing
        </Button>
      </div>
      <p className="text-muted text-xs">{shareWords(share)}</p>
    </section>
  );
}

function shareWords({ audience, views, expiresAt, hasPassword }: ShareWire): string {
  return [
    audiences[audience],
    hasPassword && "password",
    countOf(views, "view"),
    expiresAt !== null &&
      (Date.parse(expiresAt) > Date.now()
        ? `until ${dateWords(dayOf(new Date(expiresAt)))}`
        : "expired"),
  ]
    .filter((each) => each !== false)
    .join(" · ");
}

interface ShareTerms {
  /** `null`: as it is. */
  readonly audience: ShareWire["audience"] | null;
  readonly people: string;
  readonly days: keyof typeof ends | null;
  readonly password: string;
}

const firstTerms: ShareTerms = { audience: null, people: "", days: null, password: "" };

const ends = { never: "Never", "1": "In a day", "7": "In a week", "30": "In 30 days" } as const;
const dayMs = 24 * 60 * 60 * 1_000;

function changesIn({ audience, people, days, password }: ShareTerms) {
  const expiresAt =
    days === "never" ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();
  return {
    ...(audience && { audience }),
    ...(audience === "people" && { people: people.split(/[\s,;]+/).filter(Boolean) }),
    ...(days && { expiresAt }),
    ...(password !== "" && { password }),
  };
}

interface TermFieldsProps {
  readonly terms: ShareTerms;
  readonly known: ShareWire | undefined;
  readonly hasAccounts: boolean;
  readonly onChange: (terms: ShareTerms) => void;
}

function TermFields({ terms, known, hasAccounts, onChange }: TermFieldsProps) {
  const audience = terms.audience ?? known?.audience ?? "anyone";
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2">
      {hasAccounts && (
        <SelectField
          label="For"
          value={audience}
          options={Object.entries(audiences).map(([value, label]) => ({
            value: value as ShareWire["audience"],
            label,
          }))}
          onChange={(chosen) => onChange({ ...terms, audience: chosen })}
        />
      )}
      {audience === "people" && (
        <InputField
          label="Addresses"
          hint="Of accounts of this Grove, with commas between."
          value={terms.audience === "people" ? terms.people : (known?.people.join(", ") ?? "")}
          onChange={({ target }) =>
            onChange({ ...terms, audience: "people", people: target.value })
          }
        />
      )}
      <SelectField
        label="Ends"
        value={terms.days}
        placeholder={known ? "As it is" : "Never"}
        options={Object.entries(ends).map(([value, label]) => ({
          value: value as keyof typeof ends,
          label,
        }))}
        onChange={(days) => onChange({ ...terms, days })}
      />
      <InputField
        label="Password"
        optional
        hint={known?.hasPassword ? "Leave blank to keep it." : "At least 8 characters."}
        autoComplete="off"
        value={terms.password}
        onChange={({ target }) => onChange({ ...terms, password: target.value })}
      />
    </div>
  );
}
