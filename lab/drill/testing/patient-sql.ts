import type { Sql } from "postgres";
import { onTestFinished } from "vitest";
import { connect } from "@/lib/postgres/connect";
import { createTestDatabase } from "@/lib/postgres/testing/test-database";

/** An empty database for one test, whose statements have no deadline, as in the drills. */
export async function patientSql(): Promise<Sql> {
  const database = await createTestDatabase();
  const sql = connect(database.url, { deadlineMs: null });
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await database.drop();
  });
  return sql;
}
