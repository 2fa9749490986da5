import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { entrySources } from "./entries";

interface Export {
  readonly name: string;
  readonly isType: boolean;
  /** The file that declares it. */
  readonly from: string;
}

const entries = Object.values(entrySources);
const adapters = await readdir("lib/adapters");

const pages = (await readdir("docs")).filter((name) => name.endsWith(".md"));
const documents = (
  await Promise.all(
    ["lib/session/README.md", ...pages.map((name) => `docs/${name}`)].map((path) =>
      readFile(path, "utf8"),
    ),
  )
).join("\n");

/** The names an entry exports, each with the file it comes from. */
async function exportsOf(entry: string): Promise<Export[]> {
  const source = await readFile(entry, "utf8");
  const lists = source.matchAll(/export (type )?\{([^}]*)\} from "([^"]+)"/g);
  return [...lists].flatMap(([, type, names = "", path = ""]) => {
    const file = path.startsWith("@/") ? path.slice(2) : join(dirname(entry), path);
    const from = existsSync(`${file}.ts`) ? `${file}.ts` : `${file}/index.ts`;
    return names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => ({
        name: name.replace(/^type /, ""),
        isType: type !== undefined || name.startsWith("type "),
        from,
      }));
  });
}

/** Returns true when a comment stands right above the declaration. */
async function hasDocstring({ name, from }: Export): Promise<boolean> {
  const source = await readFile(from, "utf8");
  const passedOn = (await exportsOf(from)).find((each) => each.name === name);
  if (passedOn) return hasDocstring(passedOn);
  const kinds = "(?:abstract )?(?:async )?(?:class|function|const)";
  return new RegExp(`\\*/\\nexport ${kinds} ${name}\\b`).test(source);
}

/** An adapter is documented by a page of its own. */
const documented = entries.filter((entry) => {
  const [, name] = /^lib\/adapters\/([^/]+)/.exec(entry) ?? [];
  return name === undefined || pages.includes(`${name}.md`);
});

describe.each(documented)("%s", (entry) => {
  test("exports no value that the documents leave out", async () => {
    const values = (await exportsOf(entry)).filter(({ isType }) => !isType);
    const missing = values.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(documents));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe.each(entries)("%s", (entry) => {
  test("names each of its exports, and hides none behind a star", async () => {
    expect(await readFile(entry, "utf8")).not.toMatch(/export \*|export default/);
    expect((await exportsOf(entry)).length).toBeGreaterThan(0);
  });

  test("exports no value without a docstring", async () => {
    const values = (await exportsOf(entry)).filter(({ isType }) => !isType);
    const bare = await Promise.all(
      values.map(async (value) => ((await hasDocstring(value)) ? [] : [value.name])),
    );
    expect(bare.flat()).toEqual([]);
  });
});

test("every error on their page can be imported", async () => {
  const exported = (await Promise.all(entries.map(exportsOf))).flat().map(({ name }) => name);
  const errors = await readFile("docs/errors.md", "utf8");
  const named = [...errors.matchAll(/^\| `(\w+Error)`/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !exported.includes(name ?? ""))).toEqual([]);
});

test("every adapter is an entry", () => {
  expect(entries).toEqual(
    expect.arrayContaining(adapters.map((name) => `lib/adapters/${name}/index.ts`)),
  );
});

test("a class is the same under the package's name and by its path", async () => {
  const [named, beside] = await Promise.all([import("grove-session"), import("@/lib/session")]);
  expect(named.SessionNotFoundError).toBe(beside.SessionNotFoundError);
});

test("the main entry exports few names, and the entry of ports the rest", async () => {
  expect((await exportsOf("lib/session/index.ts")).length).toBeLessThanOrEqual(90);
});

test("a session has few members, the rest in its views of the tree and of memory", async () => {
  const { Session } = await import("@/lib/session");
  const own = Object.getOwnPropertyNames(Session.prototype);
  const members = own.filter((name) => !/^(constructor|assertConfigurable)$/.test(name));
  expect(members).toEqual(expect.arrayContaining(["appendMessage", "tree", "memory"]));
  expect(members.length).toBeLessThanOrEqual(45);
});

test("the package exports no storage of the app", async () => {
  const exported = (await Promise.all(entries.map(exportsOf))).flat().map(({ name }) => name);
  expect(exported).toEqual(expect.arrayContaining(["Session", "PostgresSessionStore"]));
  for (const name of ["PostgresRunStore", "PostgresSettings", "PostgresUsage"]) {
    expect(exported).not.toContain(name);
  }
});
