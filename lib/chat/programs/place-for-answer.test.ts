import { expect, test } from "vitest";
import { ChatError } from "@/lib/chat/core/chat-error";
import { makingOnce } from "@/lib/chat/core/making";
import { LiveRun } from "@/lib/chat/runs/live-runs";
import { inPlaceForPrograms, startInRoom } from "./place-for-answer";
import type { Program } from "./program";
import type { FoundResponse } from "./response-object";

/** A process with `maxRunning` places, and an owner of whom `others` write elsewhere. */
function newProcess({
  maxRunning,
  others = () => 0,
}: {
  maxRunning: number;
  others?: () => number;
}) {
  const live = new Map<string, LiveRun>();
  const runner = {
    maxForPrograms: Math.max(1, maxRunning - 1),
    live: { get: (_: string, id: string) => live.get(id) },
  };
  const runs = {
    mayStart: async (_: string, limits: { maxRunning: number }) => others() < limits.maxRunning,
  };
  const owner = { ownerId: "me", runs };
  const ask = (
    id: string,
    longestWaitMs = 5_000,
    { signal = new AbortController().signal, key = keyWith(null) } = {},
  ) => {
    const program = { runner, owner, key, making: makingOnce(), signal } as unknown as Program;
    const start = async () => {
      live.set(id, new LiveRun());
      return { owner, run: { id } } as unknown as FoundResponse;
    };
    return inPlaceForPrograms(program, start, { longestWaitMs });
  };
  return { ask, live };
}

function keyWith(maxRunning: number | null, id = "key") {
  const scopes = {
    canWrite: true,
    usesMemory: false,
    models: null,
    monthlyLimit: null,
    maxRunning,
  };
  return { id, scopes };
}

test("a key with a limit of its own waits for it, and takes no place of other keys meanwhile", async () => {
  const { ask, live } = newProcess({ maxRunning: 3 });
  const key = keyWith(1);
  await ask("one", 5_000, { key });
  const two = ask("two", 5_000, { key });
  await ask("three");
  expect([...live.keys()]).toEqual(["one", "three"]);
  await expect(ask("four", 20, { key })).rejects.toMatchObject({ status: 429 });
  live.get("one")?.end();
  await two;
  expect([...live.keys()]).toEqual(["one", "three", "two"]);
});

test("a raised limit lets those in who wait, and a lowered one nobody more", async () => {
  const { ask, live } = newProcess({ maxRunning: 9 });
  await ask("one", 5_000, { key: keyWith(1) });
  const two = ask("two", 5_000, { key: keyWith(1) });
  await Promise.all([two, ask("three", 5_000, { key: keyWith(3) })]);
  const four = ask("four", 5_000, { key: keyWith(1) });
  live.get("one")?.end();
  live.get("two")?.end();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(live.has("four")).toBe(false);
  live.get("three")?.end();
  await four;
});

test("requests wait in order for the places that are not the person's", async () => {
  const { ask, live } = newProcess({ maxRunning: 2 });
  await ask("one");
  const [two, three] = [ask("two"), ask("three")];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([...live.keys()]).toEqual(["one"]);
  live.get("one")?.end();
  await two;
  expect([...live.keys()]).toEqual(["one", "two"]);
  live.get("two")?.end();
  await three;
});

test("one that waits too long, here or for answers elsewhere, is refused and gives its place on", async () => {
  const here = newProcess({ maxRunning: 2 });
  await here.ask("one");
  const refusal = { status: 429, code: "rate_limit_exceeded", retryAfterSeconds: 5 };
  await expect(here.ask("two", 20)).rejects.toMatchObject(refusal);
  let others = 1;
  const elsewhere = newProcess({ maxRunning: 2, others: () => others });
  await expect(elsewhere.ask("one", 20)).rejects.toMatchObject(refusal);
  others = 0;
  await elsewhere.ask("two", 20);
});

test("one whose caller goes leaves the queue", async () => {
  const { ask, live } = newProcess({ maxRunning: 2 });
  await ask("one");
  const caller = new AbortController();
  const two = ask("two", 5_000, caller);
  const three = ask("three");
  caller.abort();
  await expect(two).rejects.toMatchObject({ status: 429 });
  live.get("one")?.end();
  await three;
  expect([...live.keys()]).toEqual(["one", "three"]);
});

test("one that another process was faster than begins when there is room again, unless its caller goes", async () => {
  let tries = 0;
  const startAt = (success: number) => async () => {
    if (++tries < success) throw new ChatError("too-many-runs", "Seven are written.");
    return tries;
  };
  const caller = new AbortController();
  expect(await startInRoom(caller, startAt(2))).toBe(2);
  const waiting = startInRoom(caller, startAt(Number.POSITIVE_INFINITY));
  caller.abort();
  await expect(waiting).rejects.toMatchObject({ status: 429 });
});
