"use client";

import { GitBranch, GitFork } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { Menu, MenuItem, MenuLabel } from "@/app/_ui/menu";
import type { SessionDetailWire } from "@/lib/chat/wire/sessions";
import { sessionTitle } from "./session-title";

const lineLook =
  "-mt-0.5 flex min-w-0 max-w-full items-center gap-1 rounded-sm px-1.5 text-faint text-xs hover:text-ink";

export function SessionLineage({
  session,
  parent,
  forks,
}: Omit<SessionDetailWire, "activeLeafId">) {
  if (!parent && forks.length === 0) return null;
  return (
    <div className="flex min-w-0 items-center">
      {parent && (
        <Link href={placeIn(parent.id, session.forkedAtMessageId)} className={lineLook}>
          <GitBranch aria-hidden className="size-3 shrink-0" />
          <span className="truncate">from {sessionTitle(parent)}</span>
        </Link>
      )}
      {forks.length > 0 && <ForksMenu forks={forks} />}
    </div>
  );
}

function ForksMenu({ forks }: Pick<SessionDetailWire, "forks">) {
  const router = useRouter();
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={`${lineLook} shrink-0`}>
          <GitFork aria-hidden className="size-3 shrink-0" />
          {forks.length === 1 ? "1 fork" : `${forks.length} forks`}
        </button>
      }
    >
      <MenuLabel>Forks of this chat</MenuLabel>
      {forks.map((fork) => (
        <MenuItem
          key={fork.id}
          icon={<GitBranch aria-hidden />}
          onSelect={() => router.push(addressOf(fork.id))}
        >
          {sessionTitle(fork)}
        </MenuItem>
      ))}
    </Menu>
  );
}

function placeIn(sessionId: string, messageId: string | null): string {
  const address = addressOf(sessionId);
  return messageId === null ? address : `${address}?hit=${encodeURIComponent(messageId)}`;
}

function addressOf(sessionId: string): string {
  return `/s/${encodeURIComponent(sessionId)}`;
}
