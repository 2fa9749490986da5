import { AsyncLocalStorage } from "node:async_hooks";
import type { SessionEvent } from "grove-session";
import { asSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import type { EventWire } from "@/lib/chat/wire/events";

const gatherMs = 250;

export interface OwnedEvent {
  readonly ownerId: SpaceId;
  readonly event: EventWire;
}

type Listener = (event: EventWire) => void;

interface Burst {
  readonly owned: OwnedEvent;
  isWaiting: boolean;
}

export function tabEventOf(event: SessionEvent): EventWire | null {
  const about = event.origin === undefined ? {} : { origin: event.origin };
  switch (event.type) {
    case "load":
    case "save":
      return null;
    case "block-write": {
      const { blockId, sessionId, key, author } = event;
      const isEntry = author === "program" && key !== undefined;
      return {
        ...about,
        type: "memory-changed",
        blockId,
        sessionId,
        ...(isEntry && { key }),
        ...(author === "program" && { byProgram: true as const }),
      };
    }
    case "block":
      return {
        ...about,
        type: "memory-changed",
        blockId: event.blockId,
        sessionId: event.sessionId,
      };
    case "proposal":
      return { ...about, type: "proposals-changed", sessionId: event.sessionId };
    case "settings":
      return { ...about, type: "settings-changed" };
    case "data":
      return { ...about, type: "data-changed" };
    case "missed":
      return { type: "missed" };
    case "session":
      if (event.action === "delete")
        return { ...about, type: "session-removed", sessionId: event.sessionId };
      return { ...about, type: "session-changed", sessionId: event.sessionId };
    default:
      return { ...about, type: "session-changed", sessionId: event.sessionId };
  }
}

export class TabEvents {
  readonly #listeners = new Map<SpaceId, Set<Listener>>();
  readonly #bursts = new Map<string, Burst>();

  get count(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  subscribe(spaceId: SpaceId, listener: Listener): () => void {
    const listeners = this.#listeners.get(spaceId) ?? new Set();
    this.#listeners.set(spaceId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(spaceId);
    };
  }

  receive(sessionEvent: SessionEvent): void {
    const event = tabEventOf(sessionEvent);
    if (!event) return;
    const owned = { ownerId: asSpace(sessionEvent.ownerId), event };
    const key = JSON.stringify(owned);
    const burst = this.#bursts.get(key);
    if (burst) {
      burst.isWaiting = true;
      return;
    }
    this.publish(owned);
    if (isGathered(event)) this.#begin(key, owned);
  }

  publish(owned: OwnedEvent): void {
    for (const burst of this.#bursts.values())
      if (supersedes(owned, burst.owned)) burst.isWaiting = false;
    for (const listener of this.#listeners.get(owned.ownerId) ?? []) listener(owned.event);
  }

  #begin(key: string, owned: OwnedEvent): void {
    const burst: Burst = { owned, isWaiting: false };
    this.#bursts.set(key, burst);
    setTimeout(() => {
      this.#bursts.delete(key);
      if (!burst.isWaiting) return;
      this.publish(owned);
      this.#begin(key, owned);
    }, gatherMs).unref();
  }
}

function isGathered({ type }: EventWire): boolean {
  return type !== "session-removed" && type !== "data-changed" && type !== "missed";
}

function supersedes(newer: OwnedEvent, older: OwnedEvent): boolean {
  if (newer.ownerId !== older.ownerId) return false;
  const { event } = newer;
  if (event.type === "data-changed" || event.type === "missed") return true;
  const ends = event.type === "session-removed" || event.type === "run-finished";
  return (
    ends && older.event.type === "session-changed" && older.event.sessionId === event.sessionId
  );
}

const tabHeader = "x-grove-tab";
const tabName = /^[\w-]{1,64}$/;

export class RequestOrigin {
  readonly #serving = new AsyncLocalStorage<{ tab: string | undefined }>();

  get tab(): string | undefined {
    return this.#serving.getStore()?.tab;
  }

  async serve<Answer>(request: Request, handle: () => Promise<Answer> | Answer): Promise<Answer> {
    const name = request.headers.get(tabHeader);
    const serving = { tab: name !== null && tabName.test(name) ? name : undefined };
    try {
      return await this.#serving.run(serving, handle);
    } finally {
      // Work that outlives the request is not the tab's own write.
      serving.tab = undefined;
    }
  }
}
