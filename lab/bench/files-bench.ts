import { randomBytes } from "node:crypto";
import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import { withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { chatRecords, enclosingLines } from "@/lib/history/chat-records";
import { readChatGpt } from "@/lib/history/chatgpt";
import { chatGptChat } from "@/lib/history/testing/chatgpt-export";
import { importLines, PostgresFiles } from "@/lib/postgres/internal";
import { ownerFiles } from "@/lib/server/owner-files";
import { randomNumbers } from "@/lib/text/testing/random";
import { type BenchOptions, onBenchDatabase } from "./bench-app";
import { percentile } from "./interleave";
import { sampleText } from "./seed";

export type FilesFigures = Awaited<ReturnType<typeof filesBench>>;

const owner = "local";
const pdf = { bytes: 10_000_000, pages: 200 };
const image = { bytes: 5_000_000, count: 50 };
const imported = { chats: 2_000, messages: 10 };
const appends = 200;

/** Runs in one process, without a browser: a page adds its upload and, for an import, reads the export itself. */
export async function filesBench({ signal, say }: BenchOptions) {
  return withTemporaryFolder((dataDir) =>
    onBenchDatabase(dataDir, async (sql) => {
      const files = ownerFiles(new PostgresFiles(sql, owner), { folder: `${dataDir}/uploads` });
      const store = new PostgresSessionStore(sql, owner);
      const before = await timeAppends(store);
      say("Storing a PDF of 10 MB, three times another one.");
      const pdfTimes: number[] = [];
      let pdfPages = 0;
      for (let n = 0; n < 3; n++) {
        signal.throwIfAborted();
        const bytes = samplePdf(n);
        const startedAt = performance.now();
        pdfPages = (await files.put(bytes, { name: "report.pdf" })).pages ?? 0;
        pdfTimes.push(performance.now() - startedAt);
      }
      say("Storing 50 images of 5 MB.");
      const imageTimes: number[] = [];
      for (let n = 0; n < image.count; n++) {
        signal.throwIfAborted();
        const bytes = sampleImage();
        const startedAt = performance.now();
        await files.put(bytes, { name: "photo.png" });
        imageTimes.push(performance.now() - startedAt);
      }
      const after = await timeAppends(store);
      say(`Importing ${imported.chats} chats.`);
      const chatsPerSecond = await timeImport(sql);
      return {
        pdfMs: percentile(pdfTimes, 0.5),
        pdfPages,
        image: { p50: percentile(imageTimes, 0.5), p95: percentile(imageTimes, 0.95) },
        chatsPerSecond,
        append: { before, after },
      };
    }),
  );
}

async function timeImport(sql: Sql): Promise<number> {
  const random = randomNumbers(7);
  const text = () => sampleText(random, 600);
  const chats = Array.from({ length: imported.chats }, (_, n) => sampleChat(n, text));
  const startedAt = performance.now();
  const { header, end } = enclosingLines(chats.length, new Date());
  async function* lines() {
    yield header;
    for (const chat of chats) yield* chatRecords(readChatGpt(chat), () => null)?.lines ?? [];
    yield end;
  }
  const { sessions } = await importLines(sql, lines(), { ownerId: owner });
  if (sessions.imported !== chats.length) throw new Error("Not every chat was imported.");
  return (chats.length * 1_000) / (performance.now() - startedAt);
}

async function timeAppends(store: PostgresSessionStore): Promise<number> {
  const { id } = await store.sessions.create("Appends");
  const random = randomNumbers(3);
  const times: number[] = [];
  for (let n = 0; n < appends; n++) {
    const parts = [{ type: "text", text: sampleText(random, 600) }];
    const startedAt = performance.now();
    await store.messages(id).appendMessage({ id: crypto.randomUUID(), role: "user", parts });
    times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.5);
}

function sampleChat(n: number, text: () => string) {
  const id = (at: number) => `${n}-${at}`;
  const said = Array.from({ length: imported.messages }, (_, at) => ({
    id: id(at),
    parent: at === 0 ? null : id(at - 1),
    role: at % 2 === 0 ? "user" : "assistant",
    text: text(),
    at: 1_700_000_000 + at,
  }));
  return chatGptChat(said, { id: `chat-${n}`, conversation_id: `chat-${n}`, title: `Chat ${n}` });
}

const pngHead = Buffer.from("89504e470d0a1a0a0000000d4948445200000fa000000bb80802000000", "hex");

/** Grove looks at the head alone. */
function sampleImage(): Buffer {
  return Buffer.concat([pngHead, randomBytes(image.bytes - pngHead.length)]);
}

/** Pages of text, and an object without use that brings it to its size, as pictures do. */
function samplePdf(seed: number): Buffer {
  const random = randomNumbers(seed + 11);
  const objects: Buffer[] = [];
  const add = (text: string | Buffer) => objects.push(Buffer.from(text));
  const pageIds = Array.from({ length: pdf.pages }, (_, n) => 4 + 2 * n);
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(
    `<< /Type /Pages /Count ${pdf.pages} /Kids [${pageIds.map((id) => `${id} 0 R`).join(" ")}] >>`,
  );
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const id of pageIds) {
    const words = sampleText(random, 2_000).replace(/[^\x20-\x7e]|[()\\]/g, " ");
    const content = `BT /F1 10 Tf 40 700 Td (${words}) Tj ET`;
    add(
      `<< /Type /Page /Parent 2 0 R /Contents ${id + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  const used = objects.reduce((sum, { length }) => sum + length, 0);
  const rest = randomBytes(pdf.bytes - used);
  const head = Buffer.from(`<< /Length ${rest.length} >>\nstream\n`);
  objects.push(Buffer.concat([head, rest, Buffer.from("\nendstream")]));
  return assembled(objects);
}

function assembled(objects: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let at = pieces[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      object,
      Buffer.from("\nendobj\n"),
    ]);
    offsets.push(at);
    at += piece.length;
    pieces.push(piece);
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const size = objects.length + 1;
  pieces.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}
