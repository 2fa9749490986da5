import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storageKey } from "@/app/_ui/store";
import { changeOutbox, newOutgoing, outbox } from "./outbox";
import { outboxDelivery } from "./outbox-delivery";

const sent = vi.fn<typeof fetch>();
const page = new EventTarget();

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("fetch", sent);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sent.mockReset();
});

test("a message that was discarded in another tab is not sent once the server is back", async () => {
  sent.mockImplementation(async () => new Response("", { status: 503 }));
  const outgoing = newOutgoing({ sessionId: "s", text: "Not this" });
  changeOutbox({ type: "written", outgoing });
  outboxDelivery.start(outbox.read());
  await vi.advanceTimersByTimeAsync(2_000);
  const tries = sent.mock.calls.length;
  expect(tries).toBeGreaterThan(0);
  const key = storageKey("discarded");
  localStorage.setItem(key, JSON.stringify([outgoing.id]));
  page.dispatchEvent(Object.assign(new Event("storage"), { key }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.mock.calls).toHaveLength(tries);
  changeOutbox({ type: "acknowledged", id: outgoing.id });
});

test("a message that I discard is tried no more", async () => {
  sent.mockImplementation(async () => new Response("", { status: 503 }));
  const outgoing = newOutgoing({ sessionId: "s", text: "Nor this" });
  changeOutbox({ type: "written", outgoing });
  outboxDelivery.start(outbox.read());
  await vi.advanceTimersByTimeAsync(2_000);
  outboxDelivery.discard(outgoing.id);
  const tries = sent.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.mock.calls).toHaveLength(tries);
});
