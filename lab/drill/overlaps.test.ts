import { expect, it } from "vitest";
import { runOverlaps } from "./overlaps";
import { patientSql } from "./testing/patient-sql";

it("What a chat and its forks write at the same moment all holds", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await runOverlaps(await patientSql(), {
    count: 60,
    seed: 1,
    signal,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures.pairs).toBe(60);
});
