import { glob, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readSetting, settingProblems, settingRemarks } from "./read-settings";
import { internalNames, settingGroups, settings } from "./settings";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("settings", () => {
  test("may all be unset or empty", () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, " "]));
    expect([settingProblems({}), settingProblems(empty), settingRemarks(empty)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test("that are wrong are all named at once, with what they must be", () => {
    expect(
      settingProblems({
        PORT: "http",
        GROVE_MAX_RUNNING_ANSWERS: "0",
        GROVE_DISCOVER_LOCAL: "no",
        GROVE_BACKUP_EVERY: "daily",
        GROVE_LOCAL_PORTS: "ollama",
      }),
    ).toEqual([
      "PORT must be a whole number from 1 to 65535, not “http”.",
      "GROVE_DISCOVER_LOCAL must be 0 or 1, not “no”.",
      "GROVE_LOCAL_PORTS must list names and ports, as in ollama=11500,vllm=9000, not “ollama”.",
      "GROVE_MAX_RUNNING_ANSWERS must be a whole number from 1 to 1000, not “0”.",
      "GROVE_BACKUP_EVERY must be a time such as 30m, 12h or 1d, not “daily”.",
    ]);
  });

  test("that may hold a password are not repeated", () => {
    expect(settingProblems({ DATABASE_URL: "mysql://me:secret@db/x" })).toEqual([
      "DATABASE_URL must look like postgres://user:password@host:5432/name.",
    ]);
  });

  test("that nobody reads are named with the likely one", () => {
    expect(
      settingRemarks({ GROVE_DATADIR: "x", GROVE_SOMETHING_ELSE: "x", GROVE_TEST_OWNERS: "1" }),
    ).toEqual([
      "GROVE_DATADIR is not a setting of Grove. Perhaps you mean GROVE_DATA_DIR.",
      "GROVE_SOMETHING_ELSE is not a setting of Grove.",
    ]);
  });

  test("of a bucket without its keys stop the start only where files would be lost", () => {
    const sentence = (prefix: string, name: string) =>
      `${prefix}${name} is not set, and ${prefix}BUCKET needs it.`;
    const environment = {
      GROVE_FILES_S3_BUCKET: "files",
      GROVE_FILES_S3_ACCESS_KEY_ID: "me",
      GROVE_BACKUP_S3_BUCKET: "backups",
      GROVE_BACKUP_S3_SECRET_ACCESS_KEY: "key",
    };
    expect(settingProblems(environment)).toEqual([
      sentence("GROVE_FILES_S3_", "SECRET_ACCESS_KEY"),
    ]);
    expect(settingRemarks(environment)).toEqual([sentence("GROVE_BACKUP_S3_", "ACCESS_KEY_ID")]);
  });

  test("are read as values, or refused with the same sentence", () => {
    expect(readSetting({ GROVE_DRAIN_SECONDS: "0.5" }, "GROVE_DRAIN_SECONDS")).toBe(0.5);
    expect(readSetting({}, "GROVE_MAX_FILE_MB")).toBe(25);
    expect(() => readSetting({ GROVE_MAX_FILE_MB: "big" }, "GROVE_MAX_FILE_MB")).toThrow(
      "GROVE_MAX_FILE_MB must be a number from 1 to 2000, not “big”.",
    );
  });

  test("are declared where any code or page names them", { tags: "long" }, async () => {
    const paths = await Array.fromAsync(
      glob(
        ["{app,lab,lib,e2e}/**/*.{ts,tsx}", "docs/deployment.md", "*.{md,ts,yaml}", "Dockerfile"],
        {
          cwd: root,
        },
      ),
    );
    const own = paths.filter((path) => !path.includes("server/settings/"));
    const texts = await Promise.all(own.map((path) => readFile(`${root}${path}`, "utf8")));
    const named = texts.flatMap((text) => text.match(/\bGROVE_[A-Z0-9_]*[A-Z0-9]\b/g) ?? []);
    const unknown = new Set(named.filter((name) => !isDeclared(name)));
    expect([...unknown]).toEqual([]);
  });
});

/** Prefixes, too, as in `GROVE_FILES_S3_…`. */
function isDeclared(name: string): boolean {
  return (
    internalNames.test(`${name}_`) ||
    internalNames.test(name) ||
    Object.keys(settings).some((each) => each === name || each.startsWith(`${name}_`))
  );
}

describe("rendered from the declaration", () => {
  const preface =
    "# Configuration\n\nAll optional, from the environment, `.env.local` or `.env` ([example](../.env.example)). Grove names every mistake\nwhen it starts. This page is rendered from `lib/server/settings/settings.ts`.\n";

  test("is the page of all settings", async () => {
    const groups = Object.entries(settingGroups).map(([title, group]) => {
      const rows = Object.entries(group).map(
        ([name, { about, usual }]) => `| \`${name}\` | ${usual} | ${about} |`,
      );
      return [`## ${title}\n`, "| variable | default | |", "|---|---|---|", ...rows, ""].join("\n");
    });
    await expect([preface, ...groups].join("\n")).toMatchFileSnapshot(
      `${root}docs/configuration.md`,
    );
  });

  test("is the example file", async () => {
    const lines = Object.entries(settingGroups).flatMap(([title, group]) => [
      "",
      `# ${title}`,
      ...Object.entries(group).flatMap(([name, { about, usual }]) => [
        `# ${plain(about)}.${usual ? ` Default: ${plain(usual)}` : ""}`,
        `${name}=`,
      ]),
    ]);
    const first = "# Copy to .env and fill in what you need. Everything is optional.";
    await expect(`${[first, ...lines].join("\n")}\n`).toMatchFileSnapshot(`${root}.env.example`);
  });
});

function plain(text: string): string {
  return text.replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, "").replaceAll("`", "");
}
