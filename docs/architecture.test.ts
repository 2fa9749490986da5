import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const top = fileURLToPath(new URL("..", import.meta.url));

/** Folders whose own folders, and files beside those, import one another in one direction only. */
const roots = [
  "app",
  "app/_data",
  "app/_features",
  "app/_message",
  "lib/chat",
  "lib/postgres",
  "lib/server",
  "lib/session",
  "lib/storage",
];

const ofLibrary = /^lib\/(adapters|archives|postgres(?!\/internal\b)|s3|session|skills)(?:\/|$)/;

const doorsOfPostgres = ["internal", "start", "storage"].map((name) => `@/lib/postgres/${name}`);

interface Arrow {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

describe.each(roots)("%s", (root) => {
  test("has no folders that import one another in a circle", async () => {
    expect(circlingArrows(await arrowsBelow(root))).toEqual([]);
  });
});

test("the product names the library by its package", { tags: "long" }, async () => {
  const product = "{app,docs,e2e,lib}/**/*.{ts,tsx}";
  const inside = (await importsIn(product)).filter(
    ({ file, name }) =>
      !/^lib\/(package|postgres)\//.test(file) &&
      !ofLibrary.test(file) &&
      /^@\/lib\/(adapters|archives|session|skills)\b(?!.*\/testing\/)/.test(name),
  );
  expect(inside).toEqual([]);
});

test("the product takes of lib/postgres what no entry of the package has through three files", {
  tags: "long",
}, async () => {
  const inside = (await importsIn("{app,lib}/**/*.{ts,tsx}")).filter(
    ({ file, name }) =>
      isShipped(file) &&
      !ofLibrary.test(file) &&
      /^@\/lib\/postgres(?!.*\/testing\/)/.test(name) &&
      !doorsOfPostgres.includes(name),
  );
  expect(inside).toEqual([]);
});

test("the library names its own files by their paths, and no others", async () => {
  const outside = (await importsIn("lib/**/*.ts")).filter(({ file, name }) => {
    const isOwn = ofLibrary.test(file) && isShipped(file) && /^[@.]+\//.test(name);
    return isOwn && !ofLibrary.test(join(dirname(file), name));
  });
  expect(outside).toEqual([]);
});

test("the check finds each arrow of a circle, and no other", () => {
  const arrows = ["a b", "b c", "c b", "d a"].map((arrow): Arrow => {
    const [from = "", to = ""] = arrow.split(" ");
    return { file: arrow, from, to };
  });
  expect(circlingArrows(arrows).map(({ file }) => file)).toEqual(["b c", "c b"]);
});

interface Import {
  readonly file: string;
  readonly name: string;
}

async function importsIn(pattern: string): Promise<Import[]> {
  const files = await Array.fromAsync(glob(pattern, { cwd: top }));
  const imports = files.map(async (file) => {
    const source = await readFile(join(top, file), "utf8");
    const names = source.matchAll(/(?:\bfrom |\bimport\()"([^"]+)"/g);
    return Array.from(names, ([, name = ""]): Import => ({ file, name }));
  });
  return (await Promise.all(imports)).flat();
}

async function arrowsBelow(root: string): Promise<Arrow[]> {
  const files = await Array.fromAsync(glob(`${root}/**/*.{ts,tsx}`, { cwd: top }));
  const arrows = files.filter(isShipped).map(async (file) => {
    const source = await readFile(join(top, file), "utf8");
    const imports = source.matchAll(/(?:\bfrom|\bimport\()\s*"(@\/|\.\.?\/)([^"]+)"/g);
    return Array.from(imports, ([, start = "", rest = ""]): Arrow => {
      const path = start === "@/" ? rest : join(dirname(file), start, rest);
      return { file, from: roomOf(root, file), to: isShipped(path) ? roomOf(root, path) : "" };
    });
  });
  return (await Promise.all(arrows)).flat().filter(({ from, to }) => to !== "" && from !== to);
}

function isShipped(path: string): boolean {
  return !/\/testing\/|\.test(-d)?\.tsx?$|\.spec\.ts$/.test(path);
}

/** Name of the folder, or of the file, directly below the root; empty outside it. */
function roomOf(root: string, path: string): string {
  if (path === root) return "index";
  if (!path.startsWith(`${root}/`)) return "";
  return path.slice(root.length + 1).replace(/\.tsx?$|\/.*/, "");
}

function circlingArrows(arrows: readonly Arrow[]): Arrow[] {
  return arrows.filter(({ from, to }) => reachable(to, arrows).has(from));
}

function reachable(start: string, arrows: readonly Arrow[]): Set<string> {
  const seen = new Set([start]);
  // A set iterates over what is added meanwhile.
  for (const room of seen) for (const { from, to } of arrows) if (from === room) seen.add(to);
  return seen;
}
