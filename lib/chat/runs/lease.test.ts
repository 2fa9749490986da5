import { beforeEach, expect, test, vi } from "vitest";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { RunLeases } from "./lease";

beforeEach(() => void vi.useFakeTimers());

/** The renewal of one lease. */
function held(heartbeat: () => Promise<unknown>) {
  const failures: unknown[] = [];
  const leases = new RunLeases((error) => void failures.push(error));
  const owner = { ownerId: "owner", runs: { heartbeat } } as unknown as OwnerData;
  return { failures, release: leases.hold(owner, { id: "run", fence: 0 }) };
}

test("A heartbeat waits for the one before it", async () => {
  const heartbeat = vi.fn(() => new Promise(() => undefined));
  const { release } = held(heartbeat);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(heartbeat).toHaveBeenCalledTimes(1);
  release();
});

test("Heartbeats that fail go on, and each outage is reported once", async () => {
  let isAway = true;
  const heartbeat = vi.fn(async () => {
    if (isAway) throw new Error("connect");
    return { stopRequested: false };
  });
  const { failures, release } = held(heartbeat);
  for (const next of [false, true, true]) {
    await vi.advanceTimersByTimeAsync(5_000);
    isAway = next;
  }
  expect(heartbeat).toHaveBeenCalledTimes(30);
  expect(failures).toHaveLength(2);
  release();
});
