import { describe, expect, test } from "vitest";
import { readEnvironment } from "./environment";

const DATABASE_URL = "postgres://grove@127.0.0.1:5432/grove";

describe("readEnvironment", () => {
  test("has no test owners unless they are asked for", () => {
    for (const GROVE_TEST_OWNERS of [undefined, "", "0"])
      expect(readEnvironment({ DATABASE_URL, GROVE_TEST_OWNERS })).toMatchObject({
        hasTestOwners: false,
      });
  });

  test.each([
    [undefined, 8],
    ["", 8],
    ["50", 50],
  ])(
    "lets %j be the limit of running answers, or 8 when it is unset",
    (GROVE_MAX_RUNNING_ANSWERS, limit) => {
      expect(readEnvironment({ DATABASE_URL, GROVE_MAX_RUNNING_ANSWERS }).maxRunningAnswers).toBe(
        limit,
      );
    },
  );

  test("refuses a limit that is none, instead of taking another", () => {
    const environment = { DATABASE_URL, GROVE_MAX_RUNNING_ANSWERS: "0", GROVE_DRAIN_SECONDS: "x" };
    expect(() => readEnvironment(environment)).toThrow(
      "GROVE_DRAIN_SECONDS must be a number from 0 to 3600, not “x”.\nGROVE_MAX_RUNNING_ANSWERS must be a whole number from 1 to 1000, not “0”.",
    );
  });

  test("has test owners on loopback", () => {
    const environment = { DATABASE_URL, GROVE_TEST_OWNERS: "1", HOST: "127.0.0.1" };
    expect(readEnvironment(environment)).toMatchObject({ hasTestOwners: true });
  });

  test.each([undefined, "", "0.0.0.0", "grove.example"])(
    "refuses test owners on the host %j",
    (HOST) => {
      expect(() => readEnvironment({ DATABASE_URL, GROVE_TEST_OWNERS: "1", HOST })).toThrow(
        "GROVE_TEST_OWNERS lets every request choose whose data it reads",
      );
    },
  );
});
