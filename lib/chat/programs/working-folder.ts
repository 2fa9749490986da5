const longest = 200;
const element = /<cwd>([^<\n]{1,300})<\/cwd>/i;
/** Coding agents name their folder in an element, or after these words. */
const words =
  /\b(?:working directory|in the directory)\b(?: is)?[\s:*]{0,10}(["'`(]?)((?:~?\/|[A-Za-z]:[\\/])[^\n<>]{0,300})/i;
const absolute = /^(?:~?\/|[A-Za-z]:[\\/])/;
const ends: Readonly<Record<string, string>> = { "(": ")" };

/** `null` where none is named, or a longer one than paths are. Untrusted words, to be shown and nothing else. */
export function workingFolderIn(texts: readonly string[]): string | null {
  for (const text of texts) {
    const path = plainPath(element.exec(text)?.[1] ?? afterWords(text));
    if (path !== null) return path;
  }
  return null;
}

function afterWords(text: string): string {
  const [, opened = "", rest = ""] = words.exec(text) ?? [];
  const closed = opened === "" ? -1 : rest.indexOf(ends[opened] ?? opened);
  const named = closed < 0 ? rest : rest.slice(0, closed);
  return named.split(/\. (?=\p{Lu})/u, 1)[0] ?? "";
}

function plainPath(given: string): string | null {
  let path = given.trim();
  while (path.length > 1 && ".,;/\\".includes(path.at(-1) ?? "")) path = path.slice(0, -1);
  // Characters that nobody sees, or that turn the words around them, are in no name that a person would choose.
  const isNamed = absolute.test(path) && !/[\p{Cc}\p{Cf}]/u.test(path);
  return isNamed && path.length <= longest ? path : null;
}
