import { describe, expect, test } from "vitest";
import { unixSocket } from "./connect";

describe("unixSocket", () => {
  test("reads the libpq form of a socket address", () => {
    expect(unixSocket("postgres://grove@localhost/grove?host=%2Frun%2Fa%20b&port=6000")).toEqual({
      url: "postgres://grove@localhost/grove",
      path: "/run/a b/.s.PGSQL.6000",
    });
  });

  test("takes 5432 and keeps the other parameters", () => {
    expect(unixSocket("postgres:///grove?host=/run&application_name=x")).toEqual({
      url: "postgres:///grove?application_name=x",
      path: "/run/.s.PGSQL.5432",
    });
  });

  test("leaves TCP addresses to the driver", () => {
    expect(unixSocket("postgres://me:secret@db.example:5433/grove?sslmode=require")).toBeNull();
  });
});
