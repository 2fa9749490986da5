import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledLanguages } from "shiki/langs";
import { expect, test } from "vitest";
import { writeGrammars } from "./write-grammars";

test("every language finds its grammars among the written files, its own last", {
  tags: "long",
}, async () => {
  const built = await mkdtemp(join(tmpdir(), "grove-grammars-"));
  try {
    await writeGrammars(built);
    const [folder = ""] = await readdir(built);
    const read = async (name: string) =>
      JSON.parse(await readFile(join(built, folder, `${name}.json`), "utf8"));
    const needed: Record<string, string[]> = await read("names");
    expect(Object.keys(needed)).toEqual(Object.keys(bundledLanguages));
    for (const [name, load] of Object.entries(bundledLanguages)) {
      const registrations = (await load()).default;
      const names = needed[name] ?? [];
      expect(names.at(-1)).toBe(registrations.at(-1)?.name);
      expect(new Set(names)).toEqual(new Set(registrations.map((each) => each.name)));
    }
    for (const name of new Set(Object.values(needed).flat()))
      expect(await read(name)).toMatchObject({ name, scopeName: expect.any(String) });
  } finally {
    await rm(built, { recursive: true, force: true });
  }
});
