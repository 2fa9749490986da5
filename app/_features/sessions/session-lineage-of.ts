import type { SessionDetailWire, SessionWire } from "@/lib/chat/wire/sessions";

/** Returns the same object when nothing changes. */
export function withRelative(detail: SessionDetailWire, relative: SessionWire): SessionDetailWire {
  const named = { id: relative.id, title: relative.title };
  if (detail.session.parentSessionId === relative.id) {
    return isSame(detail.parent, named) ? detail : { ...detail, parent: named };
  }
  const isFork =
    relative.parentSessionId === detail.session.id && relative.forkedAtMessageId !== null;
  if (!isFork) return detail;
  const known = detail.forks.findIndex(({ id }) => id === relative.id);
  if (known === -1) return { ...detail, forks: [...detail.forks, named] };
  return isSame(detail.forks[known] ?? null, named)
    ? detail
    : { ...detail, forks: detail.forks.with(known, named) };
}

export function withoutRelative(detail: SessionDetailWire, goneId: string): SessionDetailWire {
  const forks = detail.forks.filter(({ id }) => id !== goneId);
  const isOrphaned = detail.parent?.id === goneId;
  if (!isOrphaned && forks.length === detail.forks.length) return detail;
  return { ...detail, parent: isOrphaned ? null : detail.parent, forks };
}

type Named = SessionDetailWire["forks"][number];

function isSame(first: Named | null, second: Named): boolean {
  return first?.id === second.id && first.title === second.title;
}
