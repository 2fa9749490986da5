const longest = 200;
/** Coding agents name their folder in an element, or after these words; an absolute path in any system's form. */
const named =
  /(?:<cwd>|\b(?:working directory|in the directory)\b(?: is)?)[\s:("'`*]*((?:~?\/|[A-Za-z]:[\\/])[^\n<>"'`)]*)/i;

/** `null` where none is named, or a longer one than paths are. Untrusted words, to be shown and nothing else. */
export function workingFolderIn(texts: readonly string[]): string | null {
  for (const text of texts) {
    const path = named
      .exec(text)?.[1]
      ?.trim()
      .replace(/(?<=.)[.,;/\\]+$/, "");
    if (path && path.length <= longest) return path;
  }
  return null;
}
