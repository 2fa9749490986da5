import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { InvalidArgumentError } from "../session";
import { connect, unixSocket } from "./connect";
import type { Sql } from "./connections/sql";
import { PostgresSessionProvider } from "./postgres-session-provider";
import { PostgresSessionStore } from "./postgres-session-store";

// Pools are lazy.
const nowhere = "postgres://localhost:9/none";
const bigint = { to: 20, from: [20], serialize: String, parse: Number };

describe("storage in Postgres", () => {
  test.each([
    ["the driver's defaults", postgres(nowhere)],
    ["BigInt", postgres(nowhere, { types: { bigint: postgres.BigInt } })],
    ["renamed columns", postgres(nowhere, { types: { bigint }, transform: postgres.camel })],
    ["an address", nowhere],
    ["nothing", undefined],
  ])("refuses a pool with %s, which would read other data", (_, pool) => {
    const sql = pool as unknown as Sql;
    expect(() => new PostgresSessionStore(sql, "ada")).toThrow(InvalidArgumentError);
    expect(() => new PostgresSessionProvider(sql, { ownerId: "ada", sessionId: "tea" })).toThrow(
      InvalidArgumentError,
    );
  });

  test("takes a pool of `connect`, and one that reads the same", () => {
    for (const pool of [connect(nowhere), postgres(nowhere, { types: { bigint } })])
      expect(new PostgresSessionStore(pool, "ada").ownerId).toBe("ada");
  });
});

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
