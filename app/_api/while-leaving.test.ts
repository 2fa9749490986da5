import { expect, test } from "vitest";
import { whileLeaving } from "./while-leaving";

test("lets bodies of 60 KiB in UTF-8 outlive the page, those that are under way together", async () => {
  const kept: boolean[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const send = (body: string) =>
    whileLeaving(body, (keepalive) => {
      kept.push(keepalive);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return end.promise;
    });
  const first = send("é".repeat(20 * 1024));
  const second = send("a".repeat(20 * 1024));
  const third = send("a");
  expect(kept).toEqual([true, true, false]);

  ends[1]?.reject(new Error("refused"));
  await expect(second).rejects.toThrow("refused");
  const fourth = send("a");
  expect(kept.at(-1)).toBe(true);
  for (const { resolve } of ends) resolve();
  await Promise.all([first, third, fourth]);
});
