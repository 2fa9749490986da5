import type { Setting } from "./setting-kinds";
import { internalNames, settings } from "./settings";

export type Environment = Readonly<Record<string, string | undefined>>;
export type SettingName = keyof typeof settings;
type ValueOf<Name extends SettingName> = (typeof settings)[Name]["fallback"];

export function readSetting<Name extends SettingName>(
  environment: Environment,
  name: Name,
): ValueOf<Name> {
  const setting = settings[name] as Setting<ValueOf<Name>>;
  const given = environment[name]?.trim();
  if (!given) return setting.fallback;
  const value = setting.parse(given);
  if (value === null) throw new Error(sentenceFor(name, { setting, given }));
  return value;
}

export function settingProblems(environment: Environment): string[] {
  const problems = Object.entries<Setting<unknown>>(settings).flatMap(([name, setting]) => {
    const given = environment[name]?.trim();
    return given && setting.parse(given) === null ? [sentenceFor(name, { setting, given })] : [];
  });
  return [...problems, ...missingKeys(environment, "GROVE_FILES_S3_")];
}

export function settingRemarks(environment: Environment): string[] {
  const unknown = Object.entries(environment)
    .filter(([name, value]) => name.startsWith("GROVE_") && value?.trim())
    .map(([name]) => name)
    .filter((name) => !(name in settings) && !internalNames.test(name))
    .map((name) => {
      const meant = nearest(name);
      return `${name} is not a setting of Grove.${meant ? ` Perhaps you mean ${meant}.` : ""}`;
    });
  return [
    ...unknown,
    ...missingKeys(environment, "GROVE_SKILLS_S3_"),
    ...missingKeys(environment, "GROVE_BACKUP_S3_"),
  ];
}

function sentenceFor(
  name: string,
  { setting, given }: { setting: Setting<unknown>; given: string },
): string {
  return `${name} must ${setting.rule}${setting.isSecret ? "" : `, not “${given}”`}.`;
}

function missingKeys(environment: Environment, prefix: string): string[] {
  const isSet = (name: string) => Boolean(environment[prefix + name]?.trim());
  if (!isSet("BUCKET")) return [];
  return ["ACCESS_KEY_ID", "SECRET_ACCESS_KEY"]
    .filter((name) => !isSet(name))
    .map((name) => `${prefix}${name} is not set, and ${prefix}BUCKET needs it.`);
}

const mostEdits = 3;

function nearest(name: string): string | undefined {
  return Object.keys(settings)
    .map((known) => ({ known, edits: editsBetween(name, known) }))
    .filter(({ edits }) => edits <= mostEdits)
    .sort((one, other) => one.edits - other.edits)[0]?.known;
}

/** @see https://en.wikipedia.org/wiki/Levenshtein_distance */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
