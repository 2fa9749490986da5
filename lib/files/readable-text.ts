import { setImmediate as nextTurn } from "node:timers/promises";
import { Parser } from "htmlparser2";
import { UnreadableError } from "./content-page";

export interface ReadableText {
  readonly title: string | null;
  readonly text: string;
}

const sliceCharacters = 16_000;
/** Deeper nesting would make parsing slow. */
const maxDepth = 1_000;
const minMainCharacters = 200;

const hidden = new Set(
  "script style noscript template svg iframe object canvas select button dialog math".split(" "),
);
const besides = new Set("nav footer aside header".split(" "));
const besideRoles = new Set("navigation banner contentinfo complementary search".split(" "));
const blocks = new Set(
  "p div section article main ul ol li dl dt dd table tr td th blockquote pre figure figcaption h1 h2 h3 h4 h5 h6 nav header footer aside br hr body form details summary".split(
    " ",
  ),
);

/**
 * A tree of a hostile page takes minutes, so this is one pass. @throws {UnreadableError} for a page that is nested too
 * deeply.
 */
export async function readableText(html: string, url?: string): Promise<ReadableText> {
  const page = new PageReader(url);
  for (let from = 0; from < html.length; from += sliceCharacters) {
    page.write(html.slice(from, from + sliceCharacters));
    await nextTurn();
  }
  return page.end();
}

type PageRegion = "main" | "besides" | "body";
type TextKind = "text" | "item" | "code" | `h${number}`;

interface ReadableBlock {
  readonly kind: TextKind;
  readonly place: PageRegion;
  readonly text: string;
  readonly labelCharacters: number;
  readonly addressCharacters: number;
}

interface OpenTag {
  readonly name: string;
  readonly isHidden: boolean;
  readonly place: PageRegion;
  readonly kind: TextKind;
}

const outside: OpenTag = { name: "", isHidden: false, place: "body", kind: "text" };

class PageReader {
  readonly #url: string | undefined;
  readonly #parser: Parser;
  readonly #open: OpenTag[] = [];
  readonly #blocks: ReadableBlock[] = [];
  #text = "";
  #labelCharacters = 0;
  #addressCharacters = 0;
  #link: { readonly href: string | null; label: string } | null = null;
  #title: string | null = null;

  constructor(url: string | undefined) {
    this.#url = url;
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#enter(name, attributes),
      ontext: (text) => this.#say(text),
      onclosetag: (name) => this.#leave(name),
    });
  }

  write(html: string): void {
    this.#parser.write(html);
    if (this.#open.length > maxDepth)
      throw new UnreadableError("It is nested too deeply to be read.");
  }

  end(): ReadableText {
    this.#parser.end();
    this.#endBlock();
    return { title: this.#title?.replace(/\s+/g, " ").trim() || null, text: textOf(this.#blocks) };
  }

  get #tag(): OpenTag {
    return this.#open.at(-1) ?? outside;
  }

  #enter(name: string, attributes: Readonly<Record<string, string>>): void {
    if (blocks.has(name)) this.#endBlock();
    const around = this.#tag;
    const isHidden =
      around.isHidden ||
      hidden.has(name) ||
      "hidden" in attributes ||
      attributes["aria-hidden"] === "true";
    const place = placeOf(name, attributes, around.place);
    this.#open.push({ name, isHidden, place, kind: kindOf(name) ?? around.kind });
    if (name === "a" && !isHidden) {
      this.#endLink();
      this.#link = { href: this.#absolute(attributes.href), label: "" };
    }
  }

  #say(text: string): void {
    const { name, isHidden } = this.#tag;
    if (name === "title" && this.#open.length <= 3) this.#title = (this.#title ?? "") + text;
    else if (!isHidden && this.#link) this.#link.label += text;
    else if (!isHidden) this.#text += text;
  }

  #leave(name: string): void {
    if (name === "a") this.#endLink();
    if (blocks.has(name)) this.#endBlock();
    this.#open.pop();
  }

  #endLink(): void {
    const link = this.#link;
    this.#link = null;
    if (!link) return;
    const label = link.label.replace(/\s+/g, " ");
    if (link.href === null || label.trim() === "") {
      this.#text += label;
      this.#labelCharacters += label.length;
      return;
    }
    const address = `](${link.href})`;
    this.#text += `[${label.trim()}${address}`;
    this.#labelCharacters += label.length;
    this.#addressCharacters += address.length + 1;
  }

  #endBlock(): void {
    this.#endLink();
    const { kind, place } = this.#tag;
    const text = kind === "code" ? this.#text.trimEnd() : this.#text.replace(/\s+/g, " ").trim();
    const [labelCharacters, addressCharacters] = [this.#labelCharacters, this.#addressCharacters];
    this.#text = "";
    this.#labelCharacters = 0;
    this.#addressCharacters = 0;
    if (text.trim() === "") return;
    this.#blocks.push({ kind, place, text, labelCharacters, addressCharacters });
  }

  #absolute(href: string | undefined): string | null {
    if (href === undefined || href.startsWith("#") || !URL.canParse(href, this.#url)) return null;
    const url = new URL(href, this.#url);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  }
}

function kindOf(name: string): TextKind | null {
  if (/^h[1-6]$/.test(name)) return name as TextKind;
  if (name === "pre") return "code";
  if (name === "li" || name === "dd") return "item";
  return name === "td" || name === "blockquote" ? "text" : null;
}

function placeOf(
  name: string,
  { role = "" }: Readonly<Record<string, string>>,
  around: PageRegion,
): PageRegion {
  if (around === "besides") return "besides";
  if (name === "main" || name === "article" || role === "main") return "main";
  if (name === "header" && around === "main") return "main";
  return besides.has(name) || besideRoles.has(role) ? "besides" : around;
}

function textOf(all: readonly ReadableBlock[]): string {
  const main = all.filter(({ place }) => place === "main");
  const shown = charactersIn(main) >= minMainCharacters ? main : all.filter(isContent);
  return (shown.length > 0 ? shown : all).map(markdown).join("").trim();
}

/** Menus are short and nothing but links. */
function isContent({
  kind,
  place,
  text,
  labelCharacters,
  addressCharacters,
}: ReadableBlock): boolean {
  if (place === "besides") return false;
  const isLinks = labelCharacters >= 0.8 * (text.length - addressCharacters);
  return kind.startsWith("h") || !isLinks || labelCharacters > 100;
}

function charactersIn(some: readonly ReadableBlock[]): number {
  return some.reduce((sum, { text }) => sum + text.length, 0);
}

function markdown({ kind, text }: ReadableBlock): string {
  if (kind === "item") return `\n- ${text}`;
  if (kind === "code") return `\n\n\`\`\`\n${text}\n\`\`\`\n`;
  if (kind === "text") return `\n\n${text}`;
  return `\n\n${"#".repeat(Number(kind.slice(1)))} ${text}\n`;
}
