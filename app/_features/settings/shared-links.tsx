"use client";

import Link from "next/link";
import { Failure } from "@/app/_api/failure";
import { toastError } from "@/app/_api/toast-error";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { audiences, useShares, useStopShare } from "@/app/_data/shares/use-shares";
import { Button } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { dateWords, dayOf } from "@/app/_ui/reader-day";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SettingsCard, SettingsGroup, SettingsLine } from "@/app/_ui/settings-section";
import type { ShareWire } from "@/lib/chat/wire/shares";

export function SharedLinks() {
  const shares = useShares();
  const stopping = useStopShare();
  if (shares.isError) return <Failure of={shares} />;
  const all = shares.data?.shares ?? [];
  if (all.length === 0) return null;
  return (
    <SettingsGroup title="Shared links" note="Update a link with “Share…” in the menu of its chat.">
      <SettingsCard>
        {all.map((share) => (
          <SettingsLine key={share.id} title={<ChatOf share={share} />} note={<Facts of={share} />}>
            {share.link !== null && !share.isTakenDown && (
              <CopyButton text={share.link} label={`Copy link to “${share.title}”`} size="sm" />
            )}
            <Button
              size="sm"
              aria-label={`Stop sharing “${share.title}”`}
              busy={stopping.isPending && stopping.variables === share.id}
              onClick={() => stopping.mutate(share.id, { onError: toastError })}
            >
              {share.isTakenDown ? "Remove" : "Stop"}
            </Button>
          </SettingsLine>
        ))}
      </SettingsCard>
    </SettingsGroup>
  );
}

function ChatOf({ share: { title, sessionId, isChatGone } }: { share: ShareWire }) {
  if (isChatGone) return isolated(title);
  return (
    <Link className="underline-offset-2 hover:underline" href={sessionAddress(sessionId)}>
      {isolated(title)}
    </Link>
  );
}

function Facts({ of: share }: { of: ShareWire }) {
  const { audience, hasPassword, expiresAt, views, lastViewedAt, isChatGone, isTakenDown } = share;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <>
      {isTakenDown ? "Taken down by an administrator" : audiences[audience]}
      {hasPassword && " · password"}
      {expiresAt !== null &&
        ` · ${isExpired ? "expired" : "until"} ${dateWords(dayOf(new Date(expiresAt)))}`}
      {` · ${countOf(views, "view")}`}
      {lastViewedAt !== null && (
        <>
          , last <RelativeTime at={lastViewedAt} />
        </>
      )}
      {isChatGone && " · its chat is no longer here"}
    </>
  );
}
