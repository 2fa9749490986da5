import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { arrayText, parseArray } from "./array-types";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

// Postgres stores no U+0000 and no lone surrogate.
const text = fc.string({ unit: "grapheme" }).map((each) => each.replaceAll("\0", ""));

describe("arrays", () => {
  test("of texts come back from Postgres as they were given", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
        const [row] = await database.sql`select ${values}::text[] as back`;
        expect(row?.back).toEqual(values);
      }),
      { numRuns: 200 },
    );
  });

  test("hold numbers, dates, booleans and JSON as the columns say", async () => {
    const at = new Date("2026-01-02T03:04:05.678Z");
    const [row] = await database.sql`
      select ${[1, -2]}::bigint[] as counts, array[${at}]::timestamptz[] as moments,
        array[true, null] as flags, array['{"a":[1]}'::jsonb] as objects`;
    expect(row).toEqual({
      counts: [1, -2],
      moments: [at],
      flags: [true, null],
      objects: [{ a: [1] }],
    });
  });

  test("may have other bounds", async () => {
    const [row] = await database.sql`select '[0:1]={a,b}'::text[] as back`;
    expect(row?.back).toEqual(["a", "b"]);
  });

  test("of arrays keep their depth", () => {
    const nested = [
      [
        ["a,b", null],
        ['"', "{}"],
      ],
      [
        ["NULL", "\\"],
        ["", " "],
      ],
    ];
    expect(parseArray(arrayText(nested, String), String)).toEqual(nested);
  });
});
