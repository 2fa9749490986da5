import { describe, expect, test } from "vitest";
import { parsePostmasterPid } from "./postmaster-pid";

describe("parsePostmasterPid", () => {
  test("reads a server on a socket", () => {
    const text = "4711\n/data/postgres\n1700000000\n5432\n/data/postgres\n\n  1 2\nready   \n";
    expect(parsePostmasterPid(text)).toEqual({
      pid: 4711,
      port: 5432,
      socketDirectory: "/data/postgres",
      tcp: false,
    });
  });

  test("reads a server on TCP", () => {
    const text = "4711\n/data/postgres\n1700000000\n40001\n\n127.0.0.1\n  1 2\nready   \n";
    expect(parsePostmasterPid(text)).toMatchObject({
      port: 40001,
      socketDirectory: null,
      tcp: true,
    });
  });

  test("knows no place for a server that does not listen yet", () => {
    expect(parsePostmasterPid("4711\n/data/postgres\n1700000000\n5432\n")).toEqual({
      pid: 4711,
      port: 5432,
      socketDirectory: null,
      tcp: false,
    });
  });

  test.each(["", "\n", "rubbish\n", "-5\n/data", "12x\n"])("finds no process in %j", (text) => {
    expect(parsePostmasterPid(text)).toBeNull();
  });
});
