import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { glob, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fencesOf, linksOf } from "@/docs/testing/markdown";
import { createTestDatabase } from "@/lib/postgres/testing/test-database";
import { installedFolder, nodeVersions } from "./installed-folder";
import { unexportedTypes } from "./unexported-types";

const majors = [20, 22, 24];
const maxBytes = 300_000;
const tarball = "dist/grove-session-0.2.0.tgz";
const run = promisify(execFile);

let folder: string;
let nodes: Map<number, string>;
let entries: string[];

beforeAll(async () => {
  [folder, nodes] = await Promise.all([installedFolder(tarball), nodeVersions(majors)]);
  const manifest: unknown = JSON.parse(await readInstalled("package.json"));
  const exported = (manifest as { exports: Record<string, unknown> }).exports;
  entries = Object.keys(exported).filter((name) => name !== "./package.json");
  await writePrograms();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function readInstalled(path: string): Promise<string> {
  return readFile(join(folder, "node_modules/grove-session", path), "utf8");
}

/** The packages that a file of the package imports when it loads, directly or through another of its files. */
async function staticImports(file: string): Promise<string[]> {
  const seen = new Set([file]);
  for (const each of seen) {
    if (!each.endsWith(".js")) continue;
    const text = await readInstalled(`dist/${each}`);
    for (const [, name = ""] of text.matchAll(
      /(?:^|;)(?:import|export)[^"';(]*["']([^"']+)["']/gm,
    )) {
      seen.add(name.replace(/^\.\//, ""));
    }
  }
  return [...seen];
}

async function declarations(): Promise<Map<string, string>> {
  const dist = join(folder, "node_modules/grove-session/dist");
  const files = await Array.fromAsync(glob("*.d.ts", { cwd: dist }));
  const read = async (file: string) => [file, await readInstalled(`dist/${file}`)] as const;
  return new Map(await Promise.all(files.map(read)));
}

/** Writes the README's programs, and one that imports every entry. */
async function writePrograms(): Promise<void> {
  const [quickStart, inMemory] = fencesOf(await readInstalled("README.md")).filter(
    ({ language }) => language === "ts",
  );
  const everyEntry = entries.map((entry, n) => {
    const name = join("grove-session", entry);
    // Contract suites import the test runner, which only loads inside of it.
    return entry === "./testing"
      ? `export type * from "${name}";`
      : `import * as entry${n} from "${name}";\nif (Object.keys(entry${n}).length === 0) throw new Error("${name} is empty");`;
  });
  const programs = {
    "quick-start.ts": quickStart?.lines.join("\n") ?? "",
    "in-memory.ts": inMemory?.lines.join("\n") ?? "",
    "every-entry.ts": everyEntry.join("\n"),
  };
  for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), text);
}

/** Compiles the programs into `out`, and returns the errors in them and in the types of the package. */
async function compile(module: string, moduleResolution: string): Promise<string[]> {
  const compilerOptions = {
    ...{ target: "es2023", lib: ["es2023", "dom"], types: ["node"], strict: true },
    ...{ exactOptionalPropertyTypes: true },
    ...{ rootDir: ".", outDir: "out", module, moduleResolution },
  };
  const config = { compilerOptions, include: ["*.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(folder, "node_modules/typescript/bin/tsc");
  const output = await run(process.execPath, [compiler], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
  const isForeign = (line: string) => /^(node_modules\/(?!grove-session\/)| )/.test(line);
  return output.split("\n").filter((line) => line !== "" && !isForeign(line));
}

async function runProgram(major: number, program: string, env: Record<string, string> = {}) {
  const node = nodes.get(major) ?? "";
  const options = { cwd: folder, env: { ...process.env, NODE_OPTIONS: "", ...env } };
  const { stdout: version } = await run(node, ["--version"], options);
  const { stdout, stderr } = await run(node, [join("out", program)], options);
  return { version, stdout, stderr };
}

describe("the package", () => {
  test(`has at most ${maxBytes} bytes`, async () => {
    expect((await stat(tarball)).size).toBeLessThanOrEqual(maxBytes);
  });

  test("offers an entry for each part of the library and each adapter", async () => {
    const adapters = await readdir("lib/adapters");
    const parts = ["archives", "browser", "ports", "postgres", "skills", "testing", ...adapters];
    expect(entries.toSorted()).toEqual([".", ...parts.map((name) => `./${name}`)].toSorted());
  });

  test("contains no tests, no storage of the app and no source maps", async () => {
    const files = await Array.fromAsync(
      glob("**", { cwd: join(folder, "node_modules/grove-session") }),
    );
    const unwanted = /\.map$|\.test\.|PostgresRunStore|PostgresSettings/;
    expect(files.filter((path) => unwanted.test(path))).toEqual([]);
    expect(await readInstalled("dist/postgres.js")).not.toMatch(unwanted);
  });

  test("declares its types without those of Drizzle, which take long to check", async () => {
    const texts = await declarations();
    expect([...texts.keys()]).toContain("postgres.d.ts");
    expect([...texts].flatMap(([name, text]) => (/drizzle-orm/.test(text) ? name : []))).toEqual(
      [],
    );
  });

  test("exports every type that a signature names", async () => {
    const texts = await declarations();
    const names = entries.map((entry) => `${entry === "." ? "index" : entry.slice(2)}.d.ts`);
    expect(names.filter((name) => !texts.has(name))).toEqual([]);
    // Suites are called with a test runner's own types.
    expect(
      unexportedTypes(
        texts,
        names.filter((name) => name !== "testing.d.ts"),
      ),
    ).toEqual([]);
  });

  test("loads neither ai nor zod before they are needed, since they take longest to import", async () => {
    expect(await staticImports("index.js")).toEqual(
      expect.arrayContaining(["@orama/stemmers/german"]),
    );
    expect((await staticImports("index.js")).filter((name) => /^(ai|zod)$/.test(name))).toEqual([]);
  });

  test("has documents whose links lead to files in it", async () => {
    const installed = join(folder, "node_modules/grove-session");
    const pages = await Array.fromAsync(glob("{*,docs/*}.md", { cwd: installed }));
    const broken = await Promise.all(
      pages.map(async (page) => {
        const targets = linksOf(await readInstalled(page)).filter(
          (link) => !/^(\w+:|#)/.test(link),
        );
        const paths = targets.map((link) => join(dirname(page), link.replace(/#.*/, "")));
        return paths.filter((path) => !existsSync(join(installed, path)));
      }),
    );
    expect(pages.length).toBeGreaterThan(10);
    expect(broken.flat()).toEqual([]);
  });
});

describe("the programs of the README", () => {
  test("compile with the module resolution of bundlers", async () => {
    expect(await compile("esnext", "bundler")).toEqual([]);
  });

  describe("compiled for Node", () => {
    beforeAll(async () => {
      expect(await compile("nodenext", "nodenext")).toEqual([]);
    });

    test.each(majors)("run in memory on Node %i", async (major) => {
      const { version, stdout, stderr } = await runProgram(major, "in-memory.js");
      expect(version).toMatch(`v${major}.`);
      expect(stdout).toContain("Two, if green.");
      expect(stdout).toContain("'set_context', 'search_context', 'session_search'");
      expect(stderr).toBe("");
    });

    test.each(majors)("run on an empty Postgres on Node %i", async (major) => {
      const database = await createTestDatabase({ migrated: false });
      try {
        const { stdout, stderr } = await runProgram(major, "quick-start.js", {
          DATABASE_URL: database.url,
        });
        expect(stdout).toContain("Drinks green tea.");
        expect(stdout).toMatch(/id: 'q1'.*id: 'a2'/s);
        expect(stderr).toBe("");
      } finally {
        await database.drop();
      }
    });

    test.each(majors)("import every entry on Node %i", async (major) => {
      expect(await runProgram(major, "every-entry.js")).toMatchObject({ stdout: "", stderr: "" });
    });
  });
});
