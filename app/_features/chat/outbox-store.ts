import { readStored, writeStored } from "@/app/_ui/stored-json";
import { nextOutbox, type Outbox, type OutboxEvent } from "./outbox";

const key = "grove:outbox";
const empty: Outbox = [];

/** The outbox of this browser: it survives reloads, and other tabs see it. */
function createOutboxStore() {
  const listeners = new Set<() => void>();
  let outbox: Outbox | null = null;

  function notify() {
    for (const listener of listeners) listener();
  }

  function followOtherTabs(event: StorageEvent) {
    if (event.key !== key) return;
    outbox = null;
    notify();
  }

  return {
    read(): Outbox {
      outbox ??= readStored<Outbox>(key) ?? empty;
      return outbox;
    },
    readOnServer: (): Outbox => empty,
    dispatch(event: OutboxEvent): void {
      // Another tab may have written since, so every change starts from what is stored.
      outbox = nextOutbox(readStored<Outbox>(key) ?? outbox ?? empty, event);
      writeStored(key, outbox.length === 0 ? null : outbox);
      notify();
    },
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) addEventListener("storage", followOtherTabs);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) removeEventListener("storage", followOtherTabs);
      };
    },
  };
}

export const outboxStore = createOutboxStore();
