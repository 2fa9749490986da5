"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { pageOwner } from "@/app/_ui/store";
import type { EventWire } from "@/lib/chat/wire/events";
import { api } from "./api";
import { apiPath } from "./api-path";

type ConnectionState = "connecting" | "open" | "lost";

type ServerEventListener = (event: EventWire) => void;

const retryMs = 2_000;
// Browsers allow six connections per HTTP/1.1 host across all tabs, so hidden tabs release theirs.
const hiddenGraceMs = 30_000;

function createServerEvents() {
  const listeners = new Set<ServerEventListener>();
  const stateListeners = new Set<() => void>();
  const reconnectListeners = new Set<() => void>();
  let state: ConnectionState = "connecting";

  const { open, close, followVisibility } = createConnection({
    isNeeded: () => listeners.size > 0,
    onState(next) {
      if (state === next) return;
      state = next;
      for (const listener of stateListeners) listener();
    },
    onReconnect() {
      for (const listener of reconnectListeners) listener();
    },
    onEvent(event) {
      for (const listener of listeners) listener(event);
    },
  });

  return {
    subscribe(listener: ServerEventListener): () => void {
      if (listeners.size === 0) document.addEventListener("visibilitychange", followVisibility);
      listeners.add(listener);
      open();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        document.removeEventListener("visibilitychange", followVisibility);
        close();
      };
    },
    onReconnect(listener: () => void): () => void {
      reconnectListeners.add(listener);
      return () => void reconnectListeners.delete(listener);
    },
    subscribeState(listener: () => void): () => void {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    state: (): ConnectionState => state,
  };
}

interface ConnectionOptions {
  readonly isNeeded: () => boolean;
  readonly onState: (state: ConnectionState) => void;
  readonly onReconnect: () => void;
  readonly onEvent: ServerEventListener;
}

function createConnection({ isNeeded, onState, onReconnect, onEvent }: ConnectionOptions) {
  let source: EventSource | null = null;
  let wasOpen = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const running = new Set<string>();

  function open() {
    clearTimeout(timer);
    if (source || !isNeeded()) return;
    source = new EventSource(apiPath(`/api/events?owner=${encodeURIComponent(pageOwner())}`));
    source.onopen = () => {
      onState("open");
      if (wasOpen) onReconnect();
      wasOpen = true;
      running.clear();
    };
    source.onmessage = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as EventWire;
      if (event.type === "run-started") running.add(event.run.id);
      if (event.type === "run-finished") running.delete(event.runId);
      onEvent(event);
    };
    source.onerror = () => {
      onState("lost");
      // The browser retries dropped connections, but not after an error status.
      if (source?.readyState === EventSource.CLOSED) {
        close();
        // The browser hides the status; this answer tells whether the person is signed out.
        api("GET /api/account").catch(() => undefined);
        timer = setTimeout(open, retryMs);
      }
    };
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function followVisibility() {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(closeHidden, hiddenGraceMs);
    else open();
  }

  function closeHidden() {
    if (running.size > 0) followVisibility();
    else close();
  }

  return { open, close, followVisibility };
}

const serverEvents = createServerEvents();

/** Everything is read again after events were lost. */
export function useServerEvents(): void {
  const client = useQueryClient();
  useServerEvent(({ type }) => {
    if (type === "data-changed" || type === "missed") void client.invalidateQueries();
  });
  useEffect(() => serverEvents.onReconnect(() => void client.invalidateQueries()), [client]);
}

export function useServerEvent(listener: (event: EventWire) => void): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => serverEvents.subscribe((event) => onEvent(event)), []);
}

export function useConnection(): ConnectionState {
  return useSyncExternalStore(
    serverEvents.subscribeState,
    serverEvents.state,
    () => "connecting" as const,
  );
}
