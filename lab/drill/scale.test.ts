import { expect, it } from "vitest";
import { useLargeOwner } from "./scale";
import { patientSql } from "./testing/patient-sql";

it("A person can do everything with many chats and a long one", async () => {
  const sql = await patientSql();
  const options = { count: 300, signal: new AbortController().signal, say: () => undefined };
  const { broken, figures } = await useLargeOwner(options, {
    patientSql: sql,
    sql,
    slowdown: null,
  });
  expect(broken).toEqual([]);
  expect(Object.keys(figures).length).toBeGreaterThan(30);
});
