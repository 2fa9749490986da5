import { expect, test } from "vitest";
import { programEnvironment } from "./run-program";

test("keeps the person's Postgres and language settings from our programs", () => {
  expect(
    programEnvironment({
      PATH: "/bin",
      PGDATA: "/x",
      PGPORT: "1",
      LANG: "de_DE",
      LC_TIME: "fr_FR",
    }),
  ).toEqual({ PATH: "/bin", LC_ALL: "C" });
});
