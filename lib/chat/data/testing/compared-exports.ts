import type { Sql } from "grove-session/postgres";
import { expect } from "vitest";
import { admittedSession } from "@/lib/chat/data/admitted-records";
import { exportEverything, importEverything } from "@/lib/chat/data/portable-data";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import { shownBy, withoutTimes } from "@/lib/postgres/portable/testing/full-owner";
import type { OwnerServices } from "@/lib/server/owner-services";

/** Expects that `lines`, the export of `owner`, come back as the same account and are exported the same by `copy`. */
export async function expectSameExport(
  sql: Sql,
  { owner, copy, lines }: { owner: OwnerServices; copy: OwnerServices; lines: readonly string[] },
): Promise<void> {
  const report = await importEverything(copy, given(lines), () => true);
  expect([report.problems, report.sessions.failed]).toEqual([[], 0]);
  const mode = await copy.defaultMemoryMode();
  expect(comparable(await exported(copy), mode)).toEqual(comparable(lines, mode));
  expect(await shownBy(sql, copy.spaceId)).toEqual(await shownBy(sql, owner.spaceId));
}

export async function* given(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

export async function exported(owner: OwnerServices): Promise<string[]> {
  return Array.fromAsync(await exportEverything(owner));
}

/** Sessions by their ids: the database orders them by microseconds, an export has milliseconds. */
function comparable(lines: readonly string[], mode: MemoryMode): string[] {
  const groups: string[][] = [[]];
  const taken = lines.map((line) =>
    // An import leaves out some of a chat.
    line.startsWith('{"type":"session",')
      ? `${JSON.stringify(admittedSession(JSON.parse(line), mode))}\n`
      : line,
  );
  for (const line of withoutTimes(ofNoMoment(taken))) {
    if (line.startsWith('{"type":"session"')) groups.push([]);
    groups.at(-1)?.push(line);
    if (line.startsWith('{"type":"session-end"')) groups.push([]);
  }
  const idOf = ([first = ""]: readonly string[]) =>
    first.startsWith('{"type":"session"') ? first : "";
  return groups.toSorted((one, other) => idOf(one).localeCompare(idOf(other))).flat();
}

/** Drops the moments of what comes with Grove, which each account stores for itself. */
export function ofNoMoment(lines: readonly string[]): string[] {
  let isOfGrove = false;
  return lines.map((line) => {
    if (line.startsWith('{"type":"document"')) isOfGrove = line.includes('"blockId":"Assistants"');
    return isOfGrove ? line.replace(/"createdAt":"[^"]*"/, '"createdAt":""') : line;
  });
}
