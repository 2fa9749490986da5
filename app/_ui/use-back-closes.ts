"use client";

import { useEffect, useEffectEvent } from "react";

/** The page's own history entry has depth 0, and each layer one more. */
interface Mark {
  readonly page: number;
  readonly depth: number;
}

type Close = () => void;

const key = "groveLayer";
/** An event that never arrives must not hold up navigation. */
const arrivalMs = 1_000;

let layers: readonly Close[] = [];
let waiting: (() => void)[] | null = null;
let isLeaving = false;
let arrival: ReturnType<typeof setTimeout> | undefined;
let current: { readonly state: unknown; readonly href: string };
let native: Pick<History, "pushState" | "replaceState">;

if (typeof window !== "undefined") install();

/**
 * Makes Back close what covers the page, the last opened first. A navigation from it starts at the page below. @see
 * docs/decisions/0061-back-closes-what-covers-the-page.md
 */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const layer = () => close();
    layers = [...layers, layer];
    queueMicrotask(settle);
    return () => {
      layers = layers.filter((other) => other !== layer);
      queueMicrotask(settle);
    };
  }, [isOpen]);
}

export function leaveDocument(address: string): void {
  fromPageBelow(() => {
    isLeaving = true;
    location.assign(address);
  });
}

function fromPageBelow(change: () => void): void {
  if (waiting) waiting.push(change);
  else if (markHere().depth === 0) change();
  else {
    leaveTo(0);
    waiting = [change];
  }
}

function settle(): void {
  // Another entry, or a step back, would end the navigation to another document.
  if (waiting || isLeaving) return;
  const { depth } = markHere();
  if (layers.length < depth) leaveTo(layers.length);
  for (let next = depth + 1; next <= layers.length; next++) pushLayer(next);
}

function pushLayer(depth: number): void {
  const { page } = markHere();
  write("replaceState", { ...stateHere(), [key]: { page, depth: depth - 1 } }, location.href);
  write("pushState", { ...stateHere(), [key]: { page, depth } }, location.href);
}

function leaveTo(depth: number): void {
  waiting ??= [];
  arrival = setTimeout(arrive, arrivalMs);
  history.go(depth - markHere().depth);
}

function arrive(): void {
  clearTimeout(arrival);
  const changes = waiting ?? [];
  waiting = null;
  for (const change of changes) change();
  settle();
}

function onPopState(event: PopStateEvent): void {
  const left = current;
  const from = markOf(left.state);
  const to = markOf(event.state);
  current = { state: event.state, href: location.href };
  if (!from || from.page !== to?.page) {
    closeAbove(0);
    return;
  }
  // The page has not changed: neither the router nor code that follows the address needs to know.
  event.stopImmediatePropagation();
  write("replaceState", { ...(left.state as object), [key]: to }, left.href);
  if (waiting) arrive();
  else closeAbove(to.depth);
}

function closeAbove(depth: number): void {
  for (const close of layers.slice(depth).toReversed()) close();
  // A layer that asks before closing stays open.
  setTimeout(settle);
}

/** Installs under the router, or over it where the router came first. */
function install(): void {
  native = {
    pushState: history.pushState.bind(history),
    replaceState: history.replaceState.bind(history),
  };
  current = { state: history.state, href: location.href };
  history.pushState = (state, _, url) => fromPageBelow(() => write("pushState", state, url));
  history.replaceState = (state, _, url) => {
    const change = () => {
      const mark = markOf(history.state);
      write("replaceState", mark ? { ...state, [key]: mark } : state, url);
    };
    if (waiting) waiting.push(change);
    else change();
  };
  addEventListener("popstate", onPopState, { capture: true });
  addEventListener("pageshow", () => {
    isLeaving = false;
  });
  settle();
}

function write(how: "pushState" | "replaceState", state: unknown, url?: string | URL | null): void {
  native[how](state, "", url);
  current = { state: history.state, href: location.href };
}

function stateHere(): object {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null ? state : {};
}

function markHere(): Mark {
  return markOf(history.state) ?? { page: Date.now(), depth: 0 };
}

function markOf(state: unknown): Mark | null {
  if (typeof state !== "object" || state === null || !(key in state)) return null;
  return state[key] as Mark;
}
