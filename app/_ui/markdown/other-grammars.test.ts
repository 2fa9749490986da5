import { afterEach, beforeEach, expect, test, vi } from "vitest";

const asked: string[] = [];
let isAway = false;

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("NODE_ENV", "production");
  vi.stubGlobal("fetch", async (url: string) => {
    const name = /grammars-[\d.]+\/(.+)\.json$/.exec(url)?.[1] ?? "";
    asked.push(name);
    if (isAway) return new Response(null, { status: 503 });
    if (name === "names") return Response.json({ vue: ["css", "vue"], css: ["css"] });
    return Response.json({ name, scopeName: `source.${name}` });
  });
});
afterEach(() => {
  asked.length = 0;
  isAway = false;
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const namesOf = async (language: string) => {
  const { grammarsNamed } = await import("./other-grammars");
  return (await grammarsNamed(language)).map(({ name }) => name);
};

test("a built page fetches the grammars that a language needs, each once", async () => {
  expect(await namesOf("vue")).toEqual(["css", "vue"]);
  expect(await namesOf("css")).toEqual(["css"]);
  expect(await namesOf("nonsense")).toEqual([]);
  expect(await namesOf("constructor")).toEqual([]);
  expect(asked).toEqual(["names", "css", "vue"]);
});

test("a grammar that could not be fetched is asked for again", async () => {
  isAway = true;
  await expect(namesOf("vue")).rejects.toThrow("503");
  isAway = false;
  expect(await namesOf("vue")).toEqual(["css", "vue"]);
});
