import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("the page of database functions names each of them under its file", async () => {
  const page = await readFile("docs/database-functions.md", "utf8");
  const sections = page.split(/^## /m).slice(1);
  const listed = await readdir("lib/postgres", { recursive: true });
  for (const path of listed.filter((each) => /\/\d\d-.+\.sql$/.test(each))) {
    const text = await readFile(`lib/postgres/${path}`, "utf8");
    const names = [...text.matchAll(/create or replace function chat_(\w+)/g)].map(
      ([, name]) => name,
    );
    const section = sections.find((each) => each.includes(`\`${path}\``)) ?? "";
    const missing = names.filter((name) => !section.includes(`\`${name}\``));
    expect(missing, path).toEqual([]);
  }
});
