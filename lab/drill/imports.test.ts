import { expect, it } from "vitest";
import { importMutated } from "./imports";
import { patientSql } from "./testing/patient-sql";

it("Mutated exports are imported with a report or refused with a sentence", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await importMutated(await patientSql(), {
    count: 40,
    seed: 1,
    signal,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures.refused).toBeGreaterThan(0);
  expect(figures["with problems"]).toBeGreaterThan(0);
});
