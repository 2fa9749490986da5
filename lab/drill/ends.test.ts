import { expect, it, onTestFinished } from "vitest";
import { connect } from "@/lib/postgres/connect";
import { createTestDatabase } from "@/lib/postgres/testing/test-database";
import { killEach, victims } from "./ends";

it("Deletions, sweeps and exports that are killed end as others when they are repeated", async () => {
  const database = await createTestDatabase();
  const observer = connect(database.url, { deadlineMs: null });
  const sql = connect(database.url, { max: 4, connection: { application_name: victims } });
  onTestFinished(async () => {
    await Promise.all([sql, observer].map((pool) => pool.end({ timeout: 1 })));
    await database.drop();
  });
  const { signal } = new AbortController();
  const options = { count: 10, seed: 1, signal, say: () => undefined };
  const { broken, figures } = await killEach(options, { sql, observer, size: 40 });
  expect(broken).toEqual([]);
  expect(figures.kills).toBeGreaterThan(2);
});
