import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  excelType,
  openSheetType,
  openSlidesType,
  openTextType,
  powerPointType,
  wordType,
} from "./document-types";
import { mediaTypeOf } from "./media-type";
import { readContent } from "./read-content";
import { runReader } from "./run-reader";

const fixture = (name: string) => join(import.meta.dirname, "fixtures", name);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "grove-reading-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(path: string, name = path) {
  const head = await readFile(path);
  const mediaType = mediaTypeOf(head, name);
  return { mediaType, ...(await readContent({ path, mediaType, head, person: "" })) };
}

async function written(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

describe("texts with zero bytes", () => {
  const encoder = new TextEncoder();
  const utf16 = (text: string, isBig: boolean) => {
    const bytes = Buffer.from(text, "utf16le");
    return isBig ? bytes.swap16() : bytes;
  };

  test.each([
    ["one zero in a short text", encoder.encode("Pears\0 and quinces"), "Pears"],
    ["a zero at the end", encoder.encode(`${"Pears and quinces. ".repeat(20)}\0`), "quinces"],
    ["UTF-16 without a mark", utf16("Pears and quinces, größer.\n", false), "größer"],
    ["UTF-16 the other way round", utf16("Pears and quinces, größer.\n", true), "größer"],
  ])("reads %s", async (name, bytes, word) => {
    const { mediaType, pages, facts } = await read(
      await written(`${name}.txt`, bytes),
      "notes.txt",
    );
    expect(mediaType).toBe("text/plain");
    expect(facts.problem).toBeUndefined();
    expect(pages[0]?.text).toContain(word);
  });

  test.each([
    ["a program", Buffer.from("0061736d0100000001070160027f7f017f", "hex")],
    ["zeros alone", new Uint8Array(64)],
    ["a text of which a tenth is zeros", encoder.encode("Pears and\0".repeat(50))],
    ["words among control characters", encoder.encode("Pears\u0001\u0002\0 and quinces")],
  ])("takes %s for no text", (_, bytes) => {
    expect(mediaTypeOf(bytes, "notes.txt")).toBe("application/octet-stream");
  });
});

describe("reading documents that programs have made", () => {
  test("reads a PDF of LibreOffice page by page", { tags: "long" }, async () => {
    const { mediaType, facts, pages } = await read(fixture("report.pdf"));
    expect(mediaType).toBe("application/pdf");
    expect(facts).toMatchObject({ pages: 2 });
    expect(pages.map(({ page, text }) => [page, text])).toEqual([
      [1, expect.stringContaining("The quince orchard gave 412 kilograms.")],
      [2, expect.stringContaining("the medlar gave 37 kilograms")],
    ]);
  });

  test("reads a Word file of LibreOffice", { tags: "long" }, async () => {
    const { mediaType, pages } = await read(fixture("report.docx"));
    expect(mediaType).toBe(wordType);
    expect(pages[0]?.text).toContain("The quince orchard gave 412 kilograms.");
  });

  test("reads an Excel file of LibreOffice sheet by sheet, as CSV", { tags: "long" }, async () => {
    const { mediaType, pages } = await read(fixture("table.xlsx"));
    expect(mediaType).toBe(excelType);
    expect(pages).toEqual([
      { page: 1, title: "table", text: "Tree,Kilograms\nQuince,412\nMedlar,37" },
    ]);
  });

  test.each([
    ["odp", openSlidesType],
    ["pptx", powerPointType],
  ])(
    "reads a presentation of LibreOffice (%s) slide by slide, with notes",
    { tags: "long" },
    async (end, type) => {
      const { mediaType, facts, pages } = await read(fixture(`slides.${end}`));
      expect(mediaType).toBe(type);
      expect(facts).toMatchObject({ pages: 2 });
      expect(pages.map(({ text }) => text)).toEqual([
        "The quince orchard\ngave 412 kilograms.\nNotes: Mention the frost.",
        "The medlar gave 37.",
      ]);
    },
  );

  test("reads an OpenDocument text, with its spaces and tables and without comments", {
    tags: "long",
  }, async () => {
    const { mediaType, pages } = await read(fixture("report.odt"));
    expect(mediaType).toBe(openTextType);
    expect(pages.map(({ text }) => text)).toEqual([
      "Harvest\nThe quince orchard gave   412 kilograms.\nMedlar\n37\nBye\nnow",
    ]);
  });

  test("reads an OpenDocument sheet as CSV, up to its last filled cell", {
    tags: "long",
  }, async () => {
    const { mediaType, pages } = await read(fixture("table.ods"));
    expect(mediaType).toBe(openSheetType);
    const text = 'Tree,Kilograms\nQuince,412\n"Medlar, wild",37';
    expect(pages).toEqual([{ page: 1, title: "table", text }]);
  });

  test("reads an e-mail with its head and the names of its attachments", {
    tags: "long",
  }, async () => {
    const { mediaType, pages } = await read(fixture("letter.eml"));
    expect(mediaType).toBe("message/rfc822");
    expect(pages[0]?.text).toMatch(
      /^From: Ada <ada@example.org>\n[\s\S]*Subject: Grüße aus dem Garten/,
    );
    expect(pages[0]?.text).toContain("Attachments: quince.png");
    expect(pages[0]?.text).toContain("The quinces are ripe.");
  });
});

describe("reading web pages", () => {
  test("reads the text of a page, with its title and without scripts and styles", {
    tags: "long",
  }, async () => {
    const source = `<title>Trees</title><style>p { color: red }</style><script>spy()</script>
      <h1>Harvest</h1><p>The quince gave <b>412</b> kilograms, see <a href="/b">b</a>.</p>`;
    const { mediaType, pages } = await read(await written("a.html", Buffer.from(source)));
    expect(mediaType).toBe("text/html");
    expect(pages).toEqual([
      {
        page: 1,
        title: "Trees",
        text: "# Harvest\n\n\nThe quince gave 412 kilograms, see b.",
      },
    ]);
  });

  test("reads the source of a page that only a script writes", { tags: "long" }, async () => {
    const source = "<div id=app></div><script>render()</script>";
    const { pages } = await read(await written("b.html", Buffer.from(source)));
    expect(pages).toEqual([{ page: 1, title: "", text: source }]);
  });

  test("reads the text of an e-mail that is a page", { tags: "long" }, async () => {
    const head = "From: ada@example.org\nContent-Type: text/html\n\n";
    const path = await written("c.eml", Buffer.from(`${head}<style>p{}</style><p>Ripe</p>`));
    expect((await read(path)).pages[0]?.text).toMatch(/\n\nRipe$/);
  });
});

describe("reading files that cannot be read", () => {
  test("says that a PDF is protected by a password", { tags: "long" }, async () => {
    const { facts } = await read(fixture("encrypted.pdf"));
    expect(facts.problem).toMatch(/protected by a password/);
  });

  test("says that a broken PDF is damaged", { tags: "long" }, async () => {
    const broken = await written("broken.pdf", Buffer.from("%PDF-1.7\nnothing more"));
    expect((await read(broken)).facts.problem).toMatch(/damaged/);
  });

  test.each([
    ["says so", 220_000_000, /more than 200 MB/],
    ["declares less", 10, /damaged/],
  ])(
    "reads nothing of an archive that unpacks to 220 MB and %s",
    { tags: "long" },
    async (_, declared, problem) => {
      const bomb = await written(`${declared}.docx`, bombOf(220_000_000, declared));
      expect((await read(bomb)).facts.problem).toMatch(problem);
    },
  );

  test("says that a presentation cut in the middle is damaged", { tags: "long" }, async () => {
    const whole = await readFile(fixture("slides.pptx"));
    const cut = await written("cut.pptx", whole.subarray(0, whole.length / 2));
    expect((await read(cut)).facts.problem).toMatch(/damaged/);
  });

  test("ends a reader that takes too long", async () => {
    const path = fixture("report.pdf");
    const outcome = await runReader(
      { path, mediaType: "application/pdf", person: "slow" },
      { timeoutMs: 1, heapMegabytes: 512 },
    );
    expect(outcome).toEqual({ problem: expect.stringMatching(/too long/), mayPass: true });
  });

  test("takes a reader that ran out of memory for no fault of the file", {
    tags: "long",
  }, async () => {
    const path = fixture("report.pdf");
    const outcome = await runReader(
      { path, mediaType: "application/pdf", person: "large" },
      { timeoutMs: 60_000, heapMegabytes: 8 },
    );
    expect(outcome).toEqual({ problem: expect.stringMatching(/memory/), mayPass: true });
  });
});

describe("media types", () => {
  test.each([
    ["a PNG named as a page", "x.html", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "image/png"],
    ["a page named as a PNG", "x.png", Buffer.from("<!DOCTYPE html><p>"), "text/plain"],
    ["a page without an ending", "x", Buffer.from("<!DOCTYPE html><p>"), "text/html"],
    ["a component", "x.vue", Buffer.from("<script setup>\nlet a\n</script>"), "text/plain"],
    ["the pasted source of a page", "x.txt", Buffer.from("<!doctype html><p>"), "text/plain"],
    ["an SVG without its declaration", "x.txt", Buffer.from("<svg xmlns=''>"), "image/svg+xml"],
    ["an SVG with one", "x", Buffer.from("<?xml version='1.0'?>\n<svg>"), "image/svg+xml"],
    ["code", "x.ts", Buffer.from("const a = 1;\n"), "text/plain"],
    [
      "a text that begins like a bitmap",
      "x.txt",
      Buffer.from("BMW is a maker of cars"),
      "text/plain",
    ],
    ["a table", "x.csv", Buffer.from("a,b\n"), "text/csv"],
    ["UTF-16", "x.txt", Buffer.from("\ufeffAda", "utf16le"), "text/plain"],
    ["an older encoding", "x.txt", Buffer.from("Gr\xfc\xdfe", "latin1"), "text/plain"],
    ["bytes", "x.txt", Buffer.from([1, 0, 2, 0]), "application/octet-stream"],
    ["a program", "x.exe", Buffer.from("MZ\x90\0\x03", "latin1"), "application/octet-stream"],
  ])("knows %s", (_, name, bytes, mediaType) => {
    expect(mediaTypeOf(bytes, name)).toBe(mediaType);
  });
});

/** A Word file whose one part inflates to `size` zeros. */
function bombOf(size: number, declared: number): Buffer {
  const name = Buffer.from("word/[Content_Types].xml");
  const data = deflateRawSync(Buffer.alloc(size));
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(declared, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, name, data]);
  const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), fields, Buffer.alloc(14), name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from("PK\x05\x06"), end]);
}

test("a text of 500 MB is kept with a sentence, and not read", async () => {
  const path = await written("log.txt", Buffer.from("Pears"));
  await truncate(path, 500_000_000);
  const head = Buffer.from("Pears");
  expect(await readContent({ path, mediaType: "text/plain", head, person: "" })).toEqual({
    facts: { problem: expect.stringContaining("longer than 50 MB") },
    pages: [],
  });
});
