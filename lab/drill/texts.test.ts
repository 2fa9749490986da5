import { expect, it } from "vitest";
import { patientSql } from "./testing/patient-sql";
import { sendTexts } from "./texts";

it("Strings of all of Unicode come back exactly from storage, search and an import", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await sendTexts(await patientSql(), {
    count: 1_000,
    seed: 5,
    signal,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures.found).toBe(10);
  expect(figures.replaced).toBeGreaterThan(100);
});
