import { expect, it } from "vitest";
import { pasteDocuments } from "./injections";
import { patientSql } from "./testing/patient-sql";

it("A document with instructions writes nothing into memory that its answer does not name", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await pasteDocuments(await patientSql(), {
    count: 12,
    seed: 3,
    signal,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures.writes).toBeGreaterThan(0);
  expect(figures.proposals).toBeGreaterThan(0);
});
