import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** Probes and frames of previews need nothing of the server. */
const apart = /^app\/(live|preview)\//;
const first = /^import (?:"@\/lib\/server\/services"|\{[^}]*\} from "@\/app\/api\/endpoint");/;

// The build names a chunk by the order in which its modules are reached. Routes that reach the server in another order get
// a copy of all of it: there were 18 of 2.9 MB, which took a third of the build.
test("every route reaches the modules of the server in one order", async () => {
  const found = await Array.fromAsync(glob("app/**/route.ts"));
  const routes = found.filter((path) => !apart.test(path));
  expect(routes.length).toBeGreaterThan(100);
  const texts = await Promise.all(
    [...routes, "app/api/endpoint.ts"].map(async (path) => ({
      path,
      text: await readFile(path, "utf8"),
    })),
  );
  expect(texts.filter(({ text }) => !first.test(text)).map(({ path }) => path)).toEqual([]);
});
