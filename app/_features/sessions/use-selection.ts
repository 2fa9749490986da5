import { type KeyboardEvent, type MouseEvent, useState } from "react";
import type { SessionWire } from "@/lib/chat/wire/sessions";

interface Picked {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | null;
  readonly before: ReadonlySet<string>;
}

const nothing: Picked = { ids: new Set(), anchor: null, before: new Set() };

function toggled({ ids }: Pick<Picked, "ids">, id: string): Picked {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id, before: next };
}

function extended(
  { anchor, before }: Pick<Picked, "anchor" | "before">,
  id: string,
  order: readonly string[],
): Picked {
  const from = anchor !== null && order.includes(anchor) ? anchor : id;
  const [start, end] = [order.indexOf(from), order.indexOf(id)].toSorted((a, b) => a - b);
  const range = order.slice(start, (end ?? 0) + 1);
  return { ids: new Set([...before, ...range]), anchor: from, before };
}

export interface RowSelection {
  readonly isActive: boolean;
  readonly isSelecting: boolean;
  readonly isSelected: boolean;
  readonly onClick: (event: MouseEvent<HTMLElement>) => boolean;
  readonly onSelect: () => void;
}

export function useSelection(sessions: readonly SessionWire[], openId: string | null) {
  const order = sessions.map(({ id }) => id);
  const [picked, setPicked] = useState(nothing);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const selected = sessions.filter(({ id }) => picked.ids.has(id));
  const isSelecting = selected.length > 0;
  const activeId = [focusedId, openId].find((id) => id && order.includes(id)) ?? order[0];
  // Rows that a filter or another tab took away must not come back selected.
  const listed = (ids: ReadonlySet<string>) => new Set(order.filter((id) => ids.has(id)));
  const toggle = (id: string) => setPicked((present) => toggled({ ids: listed(present.ids) }, id));
  const extend = (id: string, from: string | null) =>
    setPicked(({ anchor, before }) =>
      extended({ anchor: isSelecting ? anchor : from, before: listed(before) }, id, order),
    );

  function onRowClick(id: string, event: MouseEvent<HTMLElement>): boolean {
    // ⌘ and Control open links in another tab.
    if (!isSelecting && !event.shiftKey) return false;
    event.preventDefault();
    // Safari does not focus a link that is clicked.
    event.currentTarget.focus();
    if (event.shiftKey) extend(id, openId);
    else toggle(id);
    return true;
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const id = idOf(event.target);
    if (event.defaultPrevented) return;
    if (isSelecting && event.key === "Escape") setPicked(nothing);
    else if (id !== null && isSelecting && event.key === " ") toggle(id);
    else if (id !== null && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const next = neighbour(event.currentTarget, id, event.key === "ArrowDown" ? 1 : -1);
      next?.focus();
      if (next && event.shiftKey) extend(idOf(next) ?? id, id);
    } else return;
    event.preventDefault();
  }

  return {
    selected,
    activeId,
    end() {
      setPicked(nothing);
      setTimeout(focusListIfLost, focusLostWithinMs);
    },
    onKeyDown,
    onFocus: (event: { target: EventTarget }) => setFocusedId((now) => idOf(event.target) ?? now),
    rowOf: (id: string): RowSelection => ({
      isActive: id === activeId,
      isSelecting,
      isSelected: isSelecting && picked.ids.has(id),
      onClick: (event) => onRowClick(id, event),
      onSelect: () => toggle(id),
    }),
  };
}

/** Archived or deleted chats leave the list within this time. */
const focusLostWithinMs = 150;

function focusListIfLost(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>(tabStop)?.focus();
}

const tabStop = '[data-session-link]:not([tabindex="-1"])';

function idOf(target: EventTarget): string | null {
  return target instanceof HTMLElement ? (target.dataset.sessionLink ?? null) : null;
}

/** Among the rendered rows; scrolling with the focus renders the next ones. */
function neighbour(list: HTMLElement, id: string, step: 1 | -1): HTMLElement | undefined {
  const rows = [...list.querySelectorAll<HTMLElement>("[data-session-link]")];
  return rows[rows.findIndex((row) => idOf(row) === id) + step];
}
