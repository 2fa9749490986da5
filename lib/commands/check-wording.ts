import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

export type TextOrigin = "comment" | "title" | "string" | "text";
export type FoundText = { kind: TextOrigin; line: number; text: string };
export type Problem = { line: number; problem: string };

const openings = /^(What|Who|Whoever|Whatever|Where|Wherever|How|Whether|Which)\b/;

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
  // Nouns of docs/glossary.md, by other names for them.
  [/(?<![/:])\bsessions?\b(?![/:])/i, "chat"],
  [/\bconversation trees?\b/i, "tree"],
  [/\b(un)?(pin|label)(ned|led)? (a |this )?messages?\b/i, "bookmark"],
  [/\bretry (the|this|an) answer\b/i, "regenerate"],
  [/\bto-?dos?\b/i, "task"],
  [/(?<![/:])\bcompact(ed|ing|ions?)\b(?![/:])/i, "summary, summarize"],
  [/\b(context|token) (gauge|budget)s?\b/i, "context"],
];

export function checkWording(path: string, source: string): Problem[] {
  const isTest = /\.(test|spec)\.tsx?$/.test(path);
  const isInterface =
    /^app\/(_data|_features|_message|_shell|_ui|s|settings)\//.test(path) && !isTest;
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

function isSentence(text: string): boolean {
  return /^\p{Lu}|^\P{L}*\p{Lu}.*\s/u.test(text) || /\s\S+[.,;:!?](\s|$)/.test(text);
}

/** Consecutive `//` lines are one comment and `{}` marks an interpolation. TypeScript 7 has no API for this. */
export function scanSource(source: string, hasJsx: boolean): FoundText[] {
  return new Scanner(source, hasJsx).scan();
}

class Scanner {
  readonly #source: string;
  readonly #hasJsx: boolean;
  readonly #pieces: FoundText[] = [];
  #at = 0;
  // `/` begins a pattern and `<` an element only after certain tokens.
  #previous = "";

  constructor(source: string, hasJsx: boolean) {
    this.#source = source;
    this.#hasJsx = hasJsx;
  }

  scan(): FoundText[] {
    this.#code();
    return this.#pieces;
  }

  #lineAt(index: number): number {
    return this.#source.slice(0, index).split("\n").length;
  }

  #add(kind: TextOrigin, from: number, text: string): void {
    if (/\p{L}/u.test(text)) this.#pieces.push({ kind, line: this.#lineAt(from), text });
  }

  #startsValue(): boolean {
    return (
      this.#previous === "" ||
      /[=(,:?[{};!&|>+\-*%~^]$/.test(this.#previous) ||
      /^(return|typeof|case|in|of|await|yield|default|else|do|void|delete|throw|new)$/.test(
        this.#previous,
      )
    );
  }

  #code(end?: string): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at] ?? "";
      if (char === end && depth === 0) return;
      if (this.#source.startsWith("//", this.#at)) this.#lineComment();
      else if (this.#source.startsWith("/*", this.#at)) this.#blockComment();
      else if (char === '"' || char === "'") this.#quoted(char);
      else if (char === "`") this.#template();
      else if (char === "/" && this.#startsValue()) this.#pattern();
      else if (
        char === "<" &&
        this.#hasJsx &&
        this.#startsValue() &&
        /[A-Za-z>]/.test(this.#source[this.#at + 1] ?? "")
      ) {
        this.#element();
      } else if (/[\w$]/.test(char)) this.#word();
      else {
        if (/[{([]/.test(char)) depth++;
        if (/[})\]]/.test(char)) depth--;
        if (!/\s/.test(char)) this.#previous = char;
        this.#at++;
      }
    }
  }

  #word(): void {
    this.#previous = /[\w$]+/y.exec(this.#source.slice(this.#at, this.#at + 200))?.[0] ?? "";
    this.#at += this.#previous.length;
  }

  #lineComment(): void {
    const from = this.#at;
    const match = /^\/\/.*(?:\n[ \t]*\/\/.*)*/.exec(this.#source.slice(from));
    const text = match?.[0] ?? "//";
    this.#at += text.length;
    this.#add(
      "comment",
      from,
      text
        .replace(/^[ \t]*\/\/[/ ]?/gm, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
  }

  #blockComment(): void {
    const from = this.#at;
    const end = this.#source.indexOf("*/", this.#at + 2);
    this.#at = end < 0 ? this.#source.length : end + 2;
    const body = this.#source.slice(from + 2, this.#at - 2).replace(/^\s*\*+ ?/gm, "");
    this.#add("comment", from, body.replace(/\s+/g, " ").trim());
  }

  #quoted(quote: string): void {
    const from = this.#at++;
    while (this.#at < this.#source.length && this.#source[this.#at] !== quote)
      this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
    this.#at++;
    this.#string(from, this.#source.slice(from + 1, this.#at - 1));
  }

  #template(): void {
    const from = this.#at++;
    const callee = this.#previous;
    let text = "";
    while (this.#at < this.#source.length && this.#source[this.#at] !== "`") {
      if (this.#source.startsWith("${", this.#at)) {
        this.#at += 2;
        this.#code("}");
        this.#at++;
        text += "{}";
      } else {
        const length = this.#source[this.#at] === "\\" ? 2 : 1;
        text += this.#source.slice(this.#at, this.#at + length);
        this.#at += length;
      }
    }
    this.#at++;
    this.#previous = callee;
    this.#string(from, text);
  }

  #string(from: number, text: string): void {
    const before = this.#source.slice(Math.max(0, from - 60), from);
    const isTitle = /\b(?:test|it|describe|step)(?:\.\w+)*\(\s*$|\.each\([^)]*\)\(\s*$/.test(
      before,
    );
    this.#add(isTitle ? "title" : "string", from, text);
    this.#previous = "string";
  }

  #pattern(): void {
    let inClass = false;
    this.#at++;
    while (
      this.#at < this.#source.length &&
      this.#source[this.#at] !== "\n" &&
      (inClass || this.#source[this.#at] !== "/")
    ) {
      if (this.#source[this.#at] === "[") inClass = true;
      if (this.#source[this.#at] === "]") inClass = false;
      this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
    }
    this.#at++;
    this.#previous = "pattern";
  }

  #element(): void {
    const isOpen = this.#attributes();
    while (isOpen && this.#at < this.#source.length && !this.#source.startsWith("</", this.#at)) {
      if (this.#source[this.#at] === "<") this.#element();
      else if (this.#source[this.#at] === "{") this.#braces();
      else this.#jsxText();
    }
    if (isOpen) this.#at = this.#source.indexOf(">", this.#at) + 1;
    this.#previous = "element";
  }

  #attributes(): boolean {
    this.#at++;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at] ?? "";
      if (char === "{") this.#braces();
      else if (char === '"' || char === "'") this.#quoted(char);
      else if (this.#source.startsWith("/*", this.#at)) this.#blockComment();
      else if (this.#source.startsWith("//", this.#at)) this.#lineComment();
      else if (this.#source.startsWith("/>", this.#at)) {
        this.#at += 2;
        return false;
      } else {
        this.#at++;
        if (char === ">") return true;
      }
    }
    return false;
  }

  #braces(): void {
    this.#at++;
    this.#previous = "{";
    this.#code("}");
    this.#at++;
  }

  #jsxText(): void {
    const from = this.#at;
    while (
      this.#at < this.#source.length &&
      this.#source[this.#at] !== "<" &&
      this.#source[this.#at] !== "{"
    )
      this.#at++;
    this.#add("text", from, this.#source.slice(from, this.#at).replace(/\s+/g, " ").trim());
  }
}

function main(): void {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  const paths = listed
    .split("\n")
    .filter((path) => /^(app|docs|e2e|lab|lib)\/.*\.tsx?$|^[^/]+\.ts$/.test(path));
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
