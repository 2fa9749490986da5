import type { ContentPage } from "./content-page";
import { UnreadableError } from "./content-page";
import { decodedText } from "./decoded-text";
import {
  type DocumentType,
  excelType,
  isDocument,
  openSheetType,
  openSlidesType,
  openTextType,
  powerPointType,
  wordType,
} from "./document-types";
import { csvCell, openDocumentPages, powerPointPages, type ReadParts } from "./office-text";
import { readableText } from "./readable-text";

/** Parsers that hostile files attack run only in a process of their own. */
const readers: Readonly<Record<DocumentType, (bytes: Uint8Array) => Promise<ContentPage[]>>> = {
  "application/pdf": pdfPages,
  [wordType]: wordPages,
  [excelType]: excelPages,
  [powerPointType]: (bytes) => powerPointPages(partsOf(bytes)),
  [openTextType]: (bytes) => openDocumentPages(partsOf(bytes)),
  [openSheetType]: (bytes) => openDocumentPages(partsOf(bytes)),
  [openSlidesType]: (bytes) => openDocumentPages(partsOf(bytes)),
  "message/rfc822": emailPages,
  "text/html": webPages,
};

export async function documentPages(bytes: Uint8Array, mediaType: string): Promise<ContentPage[]> {
  if (!isDocument(mediaType)) throw new TypeError(`There is no reader of ${mediaType}.`);
  try {
    return await readers[mediaType](bytes);
  } catch (cause) {
    if (cause instanceof UnreadableError) throw cause;
    throw new UnreadableError("It is damaged, so nothing in it can be read.", { cause });
  }
}

async function pdfPages(bytes: Uint8Array): Promise<ContentPage[]> {
  const { extractText, getDocumentProxy } = await import("unpdf");
  try {
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: false });
    return text.map((page, index) => ({ page: index + 1, title: "", text: page }));
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "PasswordException") throw cause;
    const message = "It is protected by a password. Save a copy without one and attach that.";
    throw new UnreadableError(message, { cause });
  }
}

async function wordPages(bytes: Uint8Array): Promise<ContentPage[]> {
  await assertSmallArchive(bytes);
  const { default: mammoth } = await import("mammoth");
  const { value: text } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  return [{ page: 1, title: "", text }];
}

async function excelPages(bytes: Uint8Array): Promise<ContentPage[]> {
  await assertSmallArchive(bytes);
  const { default: readSheets } = await import("read-excel-file/node");
  const sheets = await readSheets(Buffer.from(bytes));
  return sheets.map(({ sheet, data }, index) => ({
    page: index + 1,
    title: sheet,
    text: data.map((row) => row.map(csvCell).join(",")).join("\n"),
  }));
}

function partsOf(bytes: Uint8Array): ReadParts {
  return async (wanted) => {
    await assertSmallArchive(bytes);
    const { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } = await import("@zip.js/zip.js");
    const zip = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false });
    const parts = new Map<string, Buffer>();
    for await (const entry of zip.getEntriesGenerator()) {
      if (entry.directory || !wanted(entry.filename)) continue;
      parts.set(entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter())));
    }
    await zip.close();
    return parts;
  };
}

async function emailPages(bytes: Uint8Array): Promise<ContentPage[]> {
  const { default: PostalMime } = await import("postal-mime");
  const { from, to, subject, date, text, html, attachments } = await PostalMime.parse(bytes);
  const addresses = (to ?? []).map(addressText).join(", ");
  const head = [
    from && `From: ${addressText(from)}`,
    addresses && `To: ${addresses}`,
    date && `Date: ${date}`,
    subject && `Subject: ${subject}`,
    attachments.length > 0 &&
      `Attachments: ${attachments.map(({ filename }) => filename ?? "without name").join(", ")}`,
  ].filter((line) => typeof line === "string" && line !== "");
  return [
    {
      page: 1,
      title: "",
      text: `${head.join("\n")}\n\n${text ?? (await htmlText(html ?? "")).text}`,
    },
  ];
}

async function webPages(bytes: Uint8Array): Promise<ContentPage[]> {
  const { title, text } = await htmlText(decodedText(bytes));
  return [{ page: 1, title: title ?? "", text }];
}

/** A page that only scripts write is read as its source. */
async function htmlText(source: string): Promise<{ title: string | null; text: string }> {
  const { title, text } = await readableText(source);
  return { title, text: text === "" ? source : text };
}

function addressText({ name, address }: { name: string; address?: string | undefined }): string {
  return [name, address && `<${address}>`].filter((each) => each).join(" ");
}

const mostEntries = 10_000;
const mostInflated = 200_000_000;

/** Declared sizes may be lies, and the reader inflates everything. */
async function assertSmallArchive(bytes: Uint8Array): Promise<void> {
  const { Uint8ArrayReader, ZipReader } = await import("@zip.js/zip.js");
  const zip = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false });
  let inflated = 0;
  let entries = 0;
  const counted = () =>
    new WritableStream<Uint8Array>({
      write(chunk) {
        inflated += chunk.length;
        if (inflated > mostInflated) throw new UnreadableError(tooMuch);
      },
    });
  for await (const entry of zip.getEntriesGenerator()) {
    entries += 1;
    if (entries > mostEntries || entry.uncompressedSize > mostInflated)
      throw new UnreadableError(tooMuch);
    if (!entry.directory) await entry.getData(counted());
  }
  await zip.close();
}

const tooMuch = "It unpacks to more than 200 MB, so nothing in it is read.";
