import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReleaseWire } from "@/lib/chat/wire/about";

export async function readReleases(folder = process.cwd()): Promise<ReleaseWire[]> {
  return parseReleases(
    await readFile(join(/*turbopackIgnore: true*/ folder, "CHANGELOG.md"), "utf8"),
  );
}

export function parseReleases(changelog: string): ReleaseWire[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, version, date] = /^(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)\n/.exec(section) ?? [];
      if (version === undefined || date === undefined) return [];
      const [shown = ""] = section.split(/^### /m, 1);
      const changes = shown.split(/^- /m).slice(1);
      return [{ version, date, changes: changes.map((text) => text.replace(/\s+/g, " ").trim()) }];
    });
}
