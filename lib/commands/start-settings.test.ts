import { describe, expect, test } from "vitest";
import { addressFor, readStartSettings } from "./start-settings";

const place = { projectDir: "/srv/grove" };

describe("readStartSettings", () => {
  test("listens on loopback and keeps data in the project when nothing is set", () => {
    expect(readStartSettings({ PORT: "", DATABASE_URL: " " }, place)).toEqual({
      ok: true,
      settings: {
        port: 3000,
        host: "127.0.0.1",
        dataDir: "/srv/grove/.grove",
        dataDirGiven: false,
        databaseUrl: null,
      },
    });
  });

  test("takes what is set", () => {
    const environment = {
      PORT: "8080",
      HOST: "[::1]",
      GROVE_DATA_DIR: "data",
      DATABASE_URL: "postgres://me@db/grove",
    };
    expect(readStartSettings(environment, place)).toEqual({
      ok: true,
      settings: {
        port: 8080,
        host: "::1",
        dataDir: "/srv/grove/data",
        dataDirGiven: true,
        databaseUrl: "postgres://me@db/grove",
      },
    });
  });

  test.each(["0.0.0.0", "::", "192.168.1.20", "grove.example", "127.0.0.1.evil.example"])(
    "refuses to listen on %s, saying that there is no login",
    (HOST) => {
      expect(readStartSettings({ HOST }, place)).toEqual({
        ok: false,
        problems: [expect.stringMatching(new RegExp(`^HOST=${HOST} .*no login yet`))],
      });
    },
  );

  test("names every problem at once", () => {
    expect(readStartSettings({ PORT: "http", DATABASE_URL: "mysql://db/x" }, place)).toEqual({
      ok: false,
      problems: [
        "PORT must be a number, such as 3000.",
        "DATABASE_URL must look like postgres://user:password@host:5432/name.",
      ],
    });
  });

  test.each(["0", "65536", "80.5"])("refuses port %s", (PORT) => {
    expect(readStartSettings({ PORT }, place).ok).toBe(false);
  });
});

test("an IPv6 address is written in brackets", () => {
  expect(addressFor({ host: "::1", port: 3000 })).toBe("http://[::1]:3000");
  expect(addressFor({ host: "localhost", port: 80 })).toBe("http://localhost:80");
});
