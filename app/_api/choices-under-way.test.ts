import { expect, test } from "vitest";
import { choicesSettled, whileChoosing } from "./choices-under-way";

test("waits for every choice, also for one that is made while it waits, stored or refused", async () => {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const events: string[] = [];
  const stored = whileChoosing(first.promise).then(() => events.push("stored"));
  const settled = choicesSettled().then(() => events.push("settled"));

  const refused = whileChoosing(second.promise).catch(() => events.push("refused"));
  first.resolve("model");
  await stored;
  await new Promise(setImmediate);
  expect(events).toEqual(["stored"]);

  second.reject(new Error("refused"));
  await Promise.all([refused, settled]);
  expect(events).toEqual(["stored", "refused", "settled"]);
});
