import { beforeEach, expect, test, vi } from "vitest";
import { StartSteps } from "./start-steps";

beforeEach(() => {
  vi.useFakeTimers();
});

const step = { doing: "Building the app", done: "Built the app" };

function takes(steps: StartSteps, ms: number, part = ""): Promise<void> {
  return steps.take(step, async (note) => {
    note(part);
    await new Promise((done) => setTimeout(done, ms));
  });
}

test("says once how long a short step took", async () => {
  const said: string[] = [];
  const taken = takes(new StartSteps((line) => said.push(line)), 400);
  await vi.advanceTimersByTimeAsync(400);
  await taken;
  expect(said).toEqual(["✓ Built the app (0.4 s)"]);
});

test("says now and then how long a step has been running, and at which part", async () => {
  const said: string[] = [];
  const taken = takes(new StartSteps((line) => said.push(line)), 20_000, "compiling");
  await vi.advanceTimersByTimeAsync(20_000);
  await taken;
  expect(said).toEqual([
    "… Building the app: compiling, 1.0 s",
    "… Building the app: compiling, 16 s",
    "✓ Built the app (20 s)",
  ]);
});

test("replaces its line on a terminal, and leaves none of it behind", async () => {
  const written: string[] = [];
  const terminal = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  const steps = new StartSteps((line) => written.push(`${line}\n`), terminal);
  const taken = takes(steps, 2_500);
  await vi.advanceTimersByTimeAsync(1_500);
  steps.say("A warning.");
  await vi.advanceTimersByTimeAsync(1_000);
  await taken;
  const clear = "\r\u001b[K";
  expect(written).toEqual([
    `${clear}… Building the app: 1.0 s`,
    clear,
    "A warning.\n",
    `${clear}… Building the app: 1.0 s`,
    `${clear}… Building the app: 2.0 s`,
    clear,
    "✓ Built the app (2.5 s)\n",
  ]);
});

test("says nothing of a step that failed, whose error follows", async () => {
  const said: string[] = [];
  const steps = new StartSteps((line) => said.push(line));
  const failing = steps.take(step, () => Promise.reject(new Error("Full disk")));
  await expect(failing).rejects.toThrow("Full disk");
  expect(said).toEqual([]);
});
