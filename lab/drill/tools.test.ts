import { expect, it } from "vitest";
import { patientSql } from "./testing/patient-sql";
import { attackWithTools } from "./tools";

it("A server of tools writes, calls and fetches nothing without the person's word", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await attackWithTools(await patientSql(), {
    count: 8,
    seed: 3,
    signal,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures.proposals).toBeGreaterThan(0);
  expect(figures["answers paused"]).toBeGreaterThan(0);
  expect(figures["calls allowed"]).toBeGreaterThan(0);
});
