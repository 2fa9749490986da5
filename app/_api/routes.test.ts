import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { routes } from "./routes";

/** The routes that handlers under `app/api` serve, with the path of the folder they lie in. */
async function served(): Promise<{ name: string; path: string }[]> {
  const files = await Array.fromAsync(glob("app/api/**/route.ts"));
  const found = files.map(async (file) => {
    const path = `/${file.replace(/^app\//, "").replace(/\/route\.ts$/, "")}`;
    const text = await readFile(file, "utf8");
    const handlers = [
      ...text.matchAll(
        /export const (\w+) = (?:openEndpoint|adminEndpoint|endpoint)\(\s*"([^"]+)"/g,
      ),
    ];
    const exported = [...text.matchAll(/export (?:const|(?:async )?function) (\w+)/g)];
    expect(handlers, `${file} exports something else than endpoints`).toHaveLength(exported.length);
    return handlers.map(([, method, name = ""]) => {
      expect(name.split(" ")[0]).toBe(method);
      return { name, path: path.replace(/\[(\w+)\]/g, ":$1") };
    });
  });
  return (await Promise.all(found)).flat();
}

test("every handler serves the route of its folder, and every route has a handler", async () => {
  const handlers = await served();
  for (const { name, path } of handlers) expect(name.split(" ")[1]).toBe(path);
  expect(handlers.map(({ name }) => name).sort()).toEqual(Object.keys(routes).sort());
});

test.each([
  ["GET /api/search", { limit: "many" }, ["limit"]],
  ["GET /api/usage", { days: "0" }, ["days"]],
  ["GET /api/sessions/:sessionId/compare", { left: "a" }, ["right"]],
  ["GET /api/proposals", { status: "lost" }, ["status"]],
] as const)("%s refuses the query %j", (name, query, path) => {
  expect(routes[name].query.safeParse(query).error?.issues[0]?.path).toEqual(path);
});

test.each([
  ["GET /api/search", { limit: "" }, { limit: 20 }],
  ["GET /api/search", { q: "tea", limit: "1000" }, { q: "tea", limit: 100 }],
  ["GET /api/sessions", { archived: "1", tag: "" }, { archived: true }],
] as const)("%s reads the query %j", (name, query, expected) => {
  expect(routes[name].query.parse(query)).toEqual(expected);
});
