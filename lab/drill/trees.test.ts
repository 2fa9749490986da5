import { expect, it } from "vitest";
import { patientSql } from "./testing/patient-sql";
import { runTreePrograms } from "./trees";

it("Random programs of commands leave the trees that a plain model has, and no row astray", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await runTreePrograms(await patientSql(), {
    count: 20,
    seed: 3,
    signal,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures.programs).toBe(20);
});
