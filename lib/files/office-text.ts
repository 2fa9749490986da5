import { Parser } from "htmlparser2";
import type { ContentPage } from "./content-page";
import { UnreadableError } from "./content-page";

export type ReadParts = (wanted: (name: string) => boolean) => Promise<Map<string, Buffer>>;

export async function powerPointPages(readParts: ReadParts): Promise<ContentPage[]> {
  const parts = await readParts((name) =>
    /^ppt\/(_rels\/)?presentation\.xml|^ppt\/(slides|notesSlides)\//.test(name),
  );
  const targets = relationsOf(parts, "ppt/presentation.xml");
  const slides: string[] = [];
  walk(parts.get("ppt/presentation.xml"), {
    open(name, attributes) {
      const target = name === "p:sldId" ? targets.get(attributes["r:id"] ?? "") : undefined;
      if (target !== undefined) slides.push(target);
    },
  });
  return slides.map((slide, index) => {
    const notes = [...relationsOf(parts, slide).values()].find((target) =>
      target.startsWith("ppt/notesSlides/"),
    );
    const noted = notes === undefined ? "" : drawnText(parts.get(notes), { isNote: true });
    const text = [drawnText(parts.get(slide)), noted && `Notes: ${noted}`];
    return { page: index + 1, title: "", text: text.filter((each) => each !== "").join("\n") };
  });
}

function relationsOf(parts: ReadonlyMap<string, Buffer>, part: string): Map<string, string> {
  const slash = part.lastIndexOf("/") + 1;
  const [folder, file] = [part.slice(0, slash), part.slice(slash)];
  const targets = new Map<string, string>();
  walk(parts.get(`${folder}_rels/${file}.rels`), {
    open(name, { Id: id = "", Target: target = "" }) {
      if (name !== "Relationship") return;
      const path = new URL(target, `zip:///${folder}`).pathname.slice(1);
      targets.set(id, path);
    },
  });
  return targets;
}

/** The number of a slide is a field, which its notes would repeat. */
function drawnText(xml: Buffer | undefined, { isNote = false } = {}): string {
  const lines = new Lines();
  let isText = false;
  let isField = false;
  walk(xml, {
    open(name) {
      if (name === "a:t") isText = true;
      if (name === "a:fld") isField = true;
      if (name === "a:br") lines.add("\n");
      if (name === "a:tab") lines.add("\t");
    },
    text(text) {
      if (isText && !(isNote && isField)) lines.add(text);
    },
    close(name) {
      if (name === "a:t") isText = false;
      if (name === "a:fld") isField = false;
      if (name === "a:p") lines.end();
    },
  });
  return lines.text;
}

const contentPart = "content.xml";
const manifestPart = "META-INF/manifest.xml";

export async function openDocumentPages(readParts: ReadParts): Promise<ContentPage[]> {
  const parts = await readParts((name) => name === contentPart || name === manifestPart);
  if (parts.get(manifestPart)?.includes("encryption-data")) {
    throw new UnreadableError(
      "It is protected by a password. Save a copy without one and attach that.",
    );
  }
  const reading = new OpenDocumentReading();
  const content = parts.get(contentPart);
  if (!content) throw new UnreadableError("It is damaged, so nothing in it can be read.");
  walk(content, reading);
  return reading.pages;
}

const unread: ReadonlySet<string> = new Set(["office:annotation", "text:tracked-changes"]);
const paragraphs: ReadonlySet<string> = new Set(["text:p", "text:h"]);
/** A sheet repeats its last empty row and cell up to its edge. */
const mostRepeated = 1_000;
const mostSpaces = 1_000;

class OpenDocumentReading implements Walk {
  readonly pages: ContentPage[] = [];
  #lines = new Lines();
  #page: { title: string; isSheet: boolean } | null = null;
  #paragraphs = 0;
  #unread = 0;
  #cells: string[] = [];
  #cell: { lines: Lines; repeated: number } | null = null;
  #rowRepeated = 1;
  #isNote = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (unread.has(name)) this.#unread++;
    if (this.#unread > 0) return;
    switch (name) {
      case "office:spreadsheet":
        this.#page = { title: "", isSheet: true };
        break;
      case "table:table":
        if (this.#page?.isSheet) this.#beginPage(attributes["table:name"] ?? "", true);
        break;
      case "draw:page":
        this.#beginPage("", false);
        break;
      case "presentation:notes":
        this.#isNote = true;
        break;
      case "table:table-row":
        this.#rowRepeated = countOf(attributes["table:number-rows-repeated"]);
        break;
      case "table:table-cell":
      case "table:covered-table-cell":
        if (this.#page?.isSheet) {
          const repeated = countOf(attributes["table:number-columns-repeated"]);
          this.#cell = { lines: new Lines(), repeated };
        }
        break;
      case "text:s":
        this.#add(" ".repeat(Math.min(mostSpaces, countOf(attributes["text:c"]))));
        break;
      case "text:tab":
        this.#add("\t");
        break;
      case "text:line-break":
        this.#add("\n");
        break;
      default:
        if (paragraphs.has(name)) this.#paragraphs++;
    }
  }

  text(text: string): void {
    if (this.#unread === 0) this.#add(text);
  }

  close(name: string): void {
    if (unread.has(name)) this.#unread--;
    else if (this.#unread > 0) return;
    else if (paragraphs.has(name)) {
      this.#paragraphs--;
      (this.#cell?.lines ?? this.#lines).end();
    } else if (name === "table:table-cell" || name === "table:covered-table-cell") this.#endCell();
    else if (name === "table:table-row") this.#endRow();
    else if (name === "presentation:notes") this.#isNote = false;
    else if (name === "table:table" && this.#page?.isSheet) this.#endPage();
    else if (name === "draw:page" || name === "office:text") this.#endPage();
  }

  #add(text: string): void {
    if (this.#paragraphs === 0) return;
    const lines = this.#cell?.lines ?? this.#lines;
    if (this.#isNote && lines === this.#lines && !lines.hasNotes) lines.beginNotes();
    lines.add(text);
  }

  #beginPage(title: string, isSheet: boolean): void {
    this.#page = { title, isSheet };
    this.#lines = new Lines();
  }

  #endPage(): void {
    const title = this.#page?.title ?? "";
    this.pages.push({ page: this.pages.length + 1, title, text: this.#lines.text });
    this.#lines = new Lines();
  }

  #endCell(): void {
    if (!this.#cell) return;
    const { lines, repeated } = this.#cell;
    const times = Math.min(mostRepeated, repeated);
    this.#cells.push(...Array<string>(times).fill(csvCell(lines.text)));
    this.#cell = null;
  }

  #endRow(): void {
    if (!this.#page?.isSheet) return;
    const last = this.#cells.findLastIndex((cell) => cell !== "");
    const row = this.#cells.slice(0, last + 1).join(",");
    const times = row === "" ? 1 : Math.min(mostRepeated, this.#rowRepeated);
    for (let n = 0; n < times; n++) this.#lines.addLine(row);
    this.#cells = [];
  }
}

function countOf(value: string | undefined): number {
  const count = Number.parseInt(value ?? "1", 10);
  return Number.isFinite(count) && count > 0 ? count : 1;
}

/** @see https://www.rfc-editor.org/rfc/rfc4180 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = value instanceof Date ? value.toISOString() : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

class Lines {
  readonly #done: string[] = [];
  #line = "";
  hasNotes = false;

  get text(): string {
    return [...this.#done, this.#line].join("\n").trimEnd();
  }

  add(text: string): void {
    this.#line += text;
  }

  addLine(line: string): void {
    this.#done.push(line);
  }

  end(): void {
    if (this.#line !== "" || this.#done.length > 0) this.#done.push(this.#line);
    this.#line = "";
  }

  beginNotes(): void {
    this.hasNotes = true;
    this.#line = `Notes: ${this.#line}`;
  }
}

interface Walk {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Entities of a document type are not expanded. */
function walk(xml: Buffer | undefined, walked: Walk): void {
  if (!xml) return;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => walked.open?.(name, attributes),
      ontext: (text) => walked.text?.(text),
      onclosetag: (name) => walked.close?.(name),
    },
    { xmlMode: true },
  );
  parser.end(new TextDecoder().decode(xml));
}
