import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("the page of database functions names each of them under its file", async () => {
  const page = await readFile("docs/database-functions.md", "utf8");
  const sections = page.split(/^## /m).slice(1);
  const files = await Array.fromAsync(glob("lib/{postgres,storage}/*/[0-9][0-9]-*.sql"));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = await readFile(file, "utf8");
    const path = file.split("/").slice(2).join("/");
    const names = [...text.matchAll(/create or replace function chat_(\w+)/g)].map(
      ([, name]) => name,
    );
    const section = sections.find((each) => each.includes(`\`${path}\``)) ?? "";
    const missing = names.filter((name) => !section.includes(`\`${name}\``));
    expect(missing, path).toEqual([]);
  }
});
