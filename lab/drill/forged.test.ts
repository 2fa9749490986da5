import { expect, it } from "vitest";
import { importForged } from "./forged";
import { patientSql } from "./testing/patient-sql";

it("Forged exports decide nothing for the person", async () => {
  const { signal } = new AbortController();
  const options = { count: 15, seed: 1, signal, say: () => undefined };
  const { broken, figures } = await importForged(await patientSql(), options);
  expect(broken).toEqual([]);
  expect(figures.offers).toBeGreaterThan(0);
  expect(figures.answers).toBeGreaterThan(0);
});
