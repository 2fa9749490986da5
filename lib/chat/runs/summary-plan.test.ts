import { expect, test } from "vitest";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { isWorthTrying, type SummaryPlan } from "./summary-plan";

const plan: SummaryPlan = {
  fromMessageId: "q1",
  toMessageId: "a50",
  firstPosition: 1,
  lastPosition: 100,
  focus: null,
  replaces: null,
  isManual: false,
};
const failed = { status: "failed", model: "m", plan } as RunRecord;

test("a failed summary is retried when the conversation has grown by a fifth", () => {
  const after = (lastPosition: number) =>
    isWorthTrying({ plan: { ...plan, lastPosition }, model: "m" }, failed);
  expect([after(100), after(119), after(120)]).toEqual([false, false, true]);
});

test("nothing stands against one by hand, by another model, or after one that succeeded", () => {
  const again = { plan, model: "m" };
  expect(isWorthTrying(again, null)).toBe(true);
  expect(isWorthTrying({ ...again, model: "other" }, failed)).toBe(true);
  expect(isWorthTrying({ ...again, plan: { ...plan, isManual: true } }, failed)).toBe(true);
  expect(isWorthTrying(again, { ...failed, status: "complete" })).toBe(true);
  expect(isWorthTrying(again, { ...failed, status: "interrupted" })).toBe(true);
  expect(isWorthTrying(again, { ...failed, status: "stopped" })).toBe(false);
});
