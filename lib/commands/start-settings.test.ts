import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { addressFor, loadEnvironment, readStartSettings } from "./start-settings";

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
        directUrl: null,
        drainSeconds: 10,
        origin: null,
      },
    });
  });

  test("takes what is set", () => {
    const environment = {
      PORT: "8080",
      HOST: "[::1]",
      GROVE_DATA_DIR: "data",
      DATABASE_URL: "postgres://me@db/grove",
      GROVE_DRAIN_SECONDS: "0.5",
    };
    expect(readStartSettings(environment, place)).toEqual({
      ok: true,
      settings: {
        port: 8080,
        host: "::1",
        dataDir: "/srv/grove/data",
        dataDirGiven: true,
        databaseUrl: "postgres://me@db/grove",
        directUrl: null,
        drainSeconds: 0.5,
        origin: null,
      },
    });
  });

  test.each(["0.0.0.0", "::", "192.168.1.20", "grove.example", "127.0.0.1.evil.example"])(
    "refuses to listen on %s, saying that there are no accounts",
    (HOST) => {
      expect(readStartSettings({ HOST }, place)).toEqual({
        ok: false,
        problems: [expect.stringMatching(new RegExp(`^HOST=${HOST} .*no accounts`))],
      });
    },
  );

  test("names every problem at once", () => {
    expect(readStartSettings({ PORT: "http", DATABASE_URL: "mysql://db/x" }, place)).toEqual({
      ok: false,
      problems: [
        "PORT must be a whole number from 1 to 65535, not “http”.",
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

test("the process' own variables win over .env.local, and that over .env", async () => {
  const project = await projectWith({
    ".env": "A=file\nB=file\nC='file #1'\n",
    ".env.local": "A=local\nB=local\n",
  });
  expect(loadEnvironment(project, { A: "own" })).toEqual({ A: "own", B: "local", C: "file #1" });
});

test("paths are taken from the folder in which Grove was started", async () => {
  const project = await projectWith({ ".env": "GROVE_SKILLS_DIR=skills\nGROVE_BACKUP_DIR=/srv\n" });
  expect(loadEnvironment(project, {})).toEqual({
    GROVE_SKILLS_DIR: join(project, "skills"),
    GROVE_BACKUP_DIR: "/srv",
  });
});

test("NODE_ENV is never taken from a file", async () => {
  const project = await projectWith({ ".env": "NODE_ENV=development\nPORT=1\n" });
  expect(loadEnvironment(project, {})).toEqual({ PORT: "1" });
});

test("no file is needed", async () => {
  expect(loadEnvironment(await projectWith({}), { A: "own" })).toEqual({ A: "own" });
});

async function projectWith(files: Record<string, string>): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "grove-env-"));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  return project;
}
