import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

export type Kind = "comment" | "title" | "string" | "text";
export type Piece = { kind: Kind; line: number; text: string };
export type Problem = { line: number; problem: string };

/** Subjects that style rules out: a comment names what it speaks of. */
const openings = /^(What|Who|Whoever|Whatever|Where|Wherever|How|Whether|Which)\b/;

/** Each pattern with the words to use instead. */
const coinages: readonly [RegExp, string][] = [
  [/\banew\b/i, "again"],
  [/\bby (itself|themselves)\b/i, "automatically"],
  [/\b(comes?|came|coming) to nothing\b/i, "fails, is skipped"],
  [/\b(stands?|stood|standing) (for|under) (a|an|the|it|them|all|these|those)\b/i, "covers"],
  [/\b(put|puts|putting) (aside|away)\b/i, "dismiss, unload"],
  [/\b(put|puts|putting) right\b/i, "correct"],
  [/\b(brought|brings?|bringing) along\b/i, "carry over"],
  [/\b(whoever|whosoever)\b/i, "the caller, the reader"],
  [/\b(hears|heard) (of|about|from|it|what|that)\b/i, "receives, is notified"],
  [/\b(is|are|was|were|be|been) told\b(?! apart)/i, "is notified, is shown"],
  [/\bso (many|few)\b/i, "up to N"],
  [/\bget(s)? well\b/i, "become healthy"],
  [/\bof one's own\b/i, "custom, own"],
];

const inInterface: readonly [RegExp, string][] = [
  [/[\d}] %/, "no space before %"],
  [/\bseams?\b/i, "summary"],
  [/(?<![/:])\bsessions?\b(?![/:])/i, "chat"],
];

/** Finds wordings that style rules out in one source file. */
export function checkWording(path: string, source: string): Problem[] {
  const isTest = /\.(test|spec)\.tsx?$/.test(path);
  const isInterface = /^app\/(_features|_ui|_shell)\//.test(path) && !isTest;
  return scanSource(source, path.endsWith("x")).flatMap(({ kind, line, text }) => {
    const opening = kind === "comment" && openings.exec(text);
    const rules = [
      ...(kind === "string" && (isTest || !isSentence(text)) ? [] : coinages),
      ...(isInterface && (kind === "text" || isSentence(text)) && kind !== "comment"
        ? inInterface
        : []),
    ];
    return [
      ...(opening ? [`comment opens with “${opening[0]}”: begin with a verb or a noun`] : []),
      ...rules.flatMap(([pattern, instead]) => {
        const match = pattern.exec(text);
        return match ? [`${kind} says “${match[0]}”: ${instead}`] : [];
      }),
    ].map((problem) => ({ line, problem }));
  });
}

/** Keeps identifiers, addresses, class names and keywords of a search apart from what people read. */
function isSentence(text: string): boolean {
  return /^\p{Lu}|^\P{L}*\p{Lu}.*\s/u.test(text) || /\s\S+[.,;:!?](\s|$)/.test(text);
}

/**
 * Reads comments, strings and JSX text, in order of their ends. Consecutive `//` lines are one comment and `{}` marks an
 * interpolation. TypeScript 7 has no API for this.
 */
export function scanSource(source: string, hasJsx: boolean): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  // `/` begins a pattern and `<` an element only where a value may begin, which the previous token decides.
  let previous = "";

  const lineAt = (index: number) => source.slice(0, index).split("\n").length;
  const add = (kind: Kind, from: number, text: string) => {
    if (/\p{L}/u.test(text)) pieces.push({ kind, line: lineAt(from), text });
  };
  const startsValue = () =>
    previous === "" ||
    /[=(,:?[{};!&|>+\-*%~^]$/.test(previous) ||
    /^(return|typeof|case|in|of|await|yield|default|else|do|void|delete|throw|new)$/.test(previous);

  function code(end?: string): void {
    let depth = 0;
    while (at < source.length) {
      const char = source[at] ?? "";
      if (char === end && depth === 0) return;
      if (source.startsWith("//", at)) lineComment();
      else if (source.startsWith("/*", at)) blockComment();
      else if (char === '"' || char === "'") quoted(char);
      else if (char === "`") template();
      else if (char === "/" && startsValue()) pattern();
      else if (char === "<" && hasJsx && startsValue() && /[A-Za-z>]/.test(source[at + 1] ?? "")) {
        element();
      } else if (/[\w$]/.test(char)) word();
      else {
        if (/[{([]/.test(char)) depth++;
        if (/[})\]]/.test(char)) depth--;
        if (!/\s/.test(char)) previous = char;
        at++;
      }
    }
  }

  function word(): void {
    previous = /[\w$]+/y.exec(source.slice(at, at + 200))?.[0] ?? "";
    at += previous.length;
  }

  function lineComment(): void {
    const from = at;
    const match = /^\/\/.*(?:\n[ \t]*\/\/.*)*/.exec(source.slice(from));
    const text = match?.[0] ?? "//";
    at += text.length;
    add(
      "comment",
      from,
      text
        .replace(/^[ \t]*\/\/[/ ]?/gm, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
  }

  function blockComment(): void {
    const from = at;
    const end = source.indexOf("*/", at + 2);
    at = end < 0 ? source.length : end + 2;
    const body = source.slice(from + 2, at - 2).replace(/^\s*\*+ ?/gm, "");
    add("comment", from, body.replace(/\s+/g, " ").trim());
  }

  function quoted(quote: string): void {
    const from = at++;
    while (at < source.length && source[at] !== quote) at += source[at] === "\\" ? 2 : 1;
    at++;
    string(from, source.slice(from + 1, at - 1));
  }

  function template(): void {
    const from = at++;
    const callee = previous;
    let text = "";
    while (at < source.length && source[at] !== "`") {
      if (source.startsWith("${", at)) {
        at += 2;
        code("}");
        at++;
        text += "{}";
      } else {
        const length = source[at] === "\\" ? 2 : 1;
        text += source.slice(at, at + length);
        at += length;
      }
    }
    at++;
    previous = callee;
    string(from, text);
  }

  function string(from: number, text: string): void {
    const before = source.slice(Math.max(0, from - 60), from);
    const isTitle = /\b(?:test|it|describe|step)(?:\.\w+)*\(\s*$|\.each\([^)]*\)\(\s*$/.test(
      before,
    );
    add(isTitle ? "title" : "string", from, text);
    previous = "string";
  }

  function pattern(): void {
    let inClass = false;
    at++;
    while (at < source.length && source[at] !== "\n" && (inClass || source[at] !== "/")) {
      if (source[at] === "[") inClass = true;
      if (source[at] === "]") inClass = false;
      at += source[at] === "\\" ? 2 : 1;
    }
    at++;
    previous = "pattern";
  }

  function element(): void {
    const isOpen = attributes();
    while (isOpen && at < source.length && !source.startsWith("</", at)) {
      if (source[at] === "<") element();
      else if (source[at] === "{") braces();
      else jsxText();
    }
    if (isOpen) at = source.indexOf(">", at) + 1;
    previous = "element";
  }

  /** Reads a tag. `true` when children follow. */
  function attributes(): boolean {
    at++;
    while (at < source.length) {
      const char = source[at] ?? "";
      if (char === "{") braces();
      else if (char === '"' || char === "'") quoted(char);
      else if (source.startsWith("/*", at)) blockComment();
      else if (source.startsWith("//", at)) lineComment();
      else if (source.startsWith("/>", at)) {
        at += 2;
        return false;
      } else {
        at++;
        if (char === ">") return true;
      }
    }
    return false;
  }

  function braces(): void {
    at++;
    previous = "{";
    code("}");
    at++;
  }

  function jsxText(): void {
    const from = at;
    while (at < source.length && source[at] !== "<" && source[at] !== "{") at++;
    add("text", from, source.slice(from, at).replace(/\s+/g, " ").trim());
  }

  code();
  return pieces;
}

function main(): void {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  const paths = listed
    .split("\n")
    .filter((path) => /^(app|docs|e2e|lib)\/.*\.tsx?$|^[^/]+\.ts$/.test(path));
  const problems = paths.flatMap((path) =>
    checkWording(path, readFileSync(path, "utf8")).map(
      ({ line, problem }) => `${path}:${line} ${problem}`,
    ),
  );
  if (problems.length === 0) return;
  console.error(`${problems.join("\n")}\n${problems.length} wordings to change.`);
  process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
