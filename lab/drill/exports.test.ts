import { expect, it } from "vitest";
import { exportAccounts } from "./exports";
import { patientSql } from "./testing/patient-sql";

it("Random accounts come back from their exports, and export the same", async () => {
  const { signal } = new AbortController();
  const options = { count: 10, seed: 1, signal, say: () => undefined };
  expect((await exportAccounts(await patientSql(), options)).broken).toEqual([]);
});
