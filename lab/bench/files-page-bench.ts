import { randomBytes, randomUUID } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { crc32, deflateSync } from "node:zlib";
import type { Browser } from "playwright";
import { z } from "zod";
import { withBrowser } from "@/lab/browser";
import { type FileWire, filePart } from "@/lib/chat/wire/files";
import { ensureBuild } from "@/lib/commands/ensure-build";
import {
  callApi,
  type GroveProcess,
  withGrove,
  withTemporaryFolder,
} from "@/lib/commands/testing/grove-process";
import { chatGptChat } from "@/lib/history/testing/chatgpt-export";
import { randomNumbers } from "@/lib/text/testing/random";
import type { BenchOptions } from "./bench-app";
import { percentile } from "./interleave";
import { atRest, notesOf, onPage } from "./measured-page";
import { liveTranscript, longest, type PageNotes } from "./page-readings";
import { sampleText } from "./seed";

/** Times are in milliseconds. */
export type FilesPageFigures = Awaited<ReturnType<typeof filesPageBench>>;

interface FilesPageOptions extends BenchOptions {
  /** Also reads an export of a gigabyte. */
  readonly isDeep: boolean;
}

const slowdown = 4;
const uploaded = { count: 50, width: 1_300, height: 1_282 };
const shown = { messages: 20, each: 10, width: 480, height: 320 };
const exported = { chats: 20_000, messages: 10 };
const opens = 5;

/** Chromium runs at full speed while files are attached, throttled while a conversation with images opens. */
export async function filesPageBench({ isDeep, signal, say }: FilesPageOptions) {
  await ensureBuild({ projectDir: process.cwd(), environment: process.env, signal, say });
  return withGrove((grove) =>
    withBrowser(async (browser) => {
      say(`Attaching ${uploaded.count} images of 5 MB.`);
      const upload = await uploading({ grove, browser });
      say(`Opening a chat of ${shown.messages * shown.each} images.`);
      const sessionId = await sessionOfImages(grove);
      await opening({ grove, browser }, sessionId);
      const notes: OpeningNotes[] = [];
      for (let n = 0; n < opens; n++) {
        signal.throwIfAborted();
        notes.push(await opening({ grove, browser }, sessionId));
      }
      if (isDeep) say("Reading an export of 20,000 chats.");
      const preview = isDeep ? await previewing({ grove, browser }) : null;
      const median = (of: (each: OpeningNotes) => number) => percentile(notes.map(of), 0.5);
      return {
        slowdown,
        upload,
        preview,
        open: {
          images: shown.messages * shown.each,
          liveMs: median(({ liveMs }) => liveMs),
          imagesMs: median(({ imagesMs }) => imagesMs),
          longestTask: median(({ longTasks }) => longest(longTasks)),
          shift: Math.max(...notes.map(({ shift }) => shift)),
        },
      };
    }),
  );
}

interface Place {
  readonly grove: GroveProcess;
  readonly browser: Browser;
}

function uploading(place: Place) {
  return withTemporaryFolder(async (folder) => {
    const paths = Array.from({ length: uploaded.count }, (_, n) => join(folder, `photo-${n}.png`));
    for (const path of paths) await writeFile(path, noisePng(uploaded));
    return onPage({ ...place, path: "/", rate: 1 }, async (page) => {
      await page.getByRole("button", { name: /^Model:/ }).waitFor();
      await atRest(page);
      const before = (await notesOf(page)).longTasks.length;
      const startedAt = performance.now();
      await page.getByLabel("Attach files").and(page.locator("input")).setInputFiles(paths);
      const stored = page.locator('[aria-label="Attached files"] li > button:first-child:enabled');
      await stored.nth(uploaded.count - 1).waitFor({ timeout: 180_000 });
      const readyMs = performance.now() - startedAt;
      await atRest(page);
      const { longTasks } = await notesOf(page);
      return {
        images: uploaded.count,
        megabytes: 5,
        readyMs,
        longestTask: longest(longTasks.slice(before)),
      };
    });
  });
}

function previewing(place: Place) {
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, "conversations.json");
    await writeFile(path, exportOf(exported));
    const { size: bytes } = await stat(path);
    return onPage({ ...place, path: "/settings?section=data", rate: 1 }, async (page) => {
      const input = page.getByLabel("Import a file", { exact: true }).last();
      await atRest(page);
      const before = await rendererMegabytes(place.browser);
      let most = before;
      const startedAt = performance.now();
      await input.setInputFiles(path);
      const done = page.getByRole("button", { name: /^Import [\d,]+ chats$/ });
      while (!(await done.isVisible())) {
        most = Math.max(most, await rendererMegabytes(place.browser));
        await delay(500);
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      const { longTasks } = await notesOf(page);
      const addedMegabytes = most - before;
      return {
        chats: exported.chats,
        bytes,
        seconds,
        addedMegabytes,
        longestTask: longest(longTasks),
      };
    });
  });
}

/** The export comes in pieces, since it is larger than a string may be. */
function* exportOf({ chats, messages }: { chats: number; messages: number }): Generator<string> {
  const random = randomNumbers(5);
  const texts = Array.from({ length: 100 }, () => sampleText(random, 5_000));
  for (let n = 0; n < chats; n++) {
    const said = Array.from({ length: messages }, (_, at) => ({
      id: `${n}-${at}`,
      parent: at === 0 ? null : `${n}-${at - 1}`,
      role: at % 2 === 0 ? "user" : "assistant",
      text: texts[(n + at) % texts.length] ?? "",
      at: 1_700_000_000 + at,
    }));
    const chat = chatGptChat(said, {
      id: `chat-${n}`,
      conversation_id: `chat-${n}`,
      title: `Chat ${n}`,
    });
    yield (n === 0 ? "[" : ",") + JSON.stringify(chat);
  }
  yield "]";
}

async function rendererMegabytes(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  await devtools.detach();
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(async ({ id }) => {
      const text = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
      return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1_024;
    });
  return Math.max(0, ...(await Promise.all(sizes)));
}

interface OpeningNotes extends PageNotes {
  readonly imagesMs: number;
}

function opening(place: Place, sessionId: string): Promise<OpeningNotes> {
  return onPage(
    { ...place, path: `/s/${sessionId}`, rate: slowdown, script: watchImages },
    async (page) => {
      await page.locator(`${liveTranscript} article`).first().waitFor({ timeout: 60_000 });
      const imagesMs = await page.evaluate<number>("window.imagesInView");
      await atRest(page);
      return { ...(await notesOf(page)), imagesMs };
    },
  );
}

/** A promise of the time at which the conversation, live or as the server sent it, first shows each image in view. */
const watchImages = `(() => {
  const isInView = (image) => {
    const { top, bottom, height } = image.getBoundingClientRect();
    return height > 0 && bottom > 0 && top < innerHeight;
  };
  window.imagesInView = new Promise((done) => {
    const look = () => {
      const images = [...document.querySelectorAll(".transcript article img")].filter(isInView);
      const isPainted = images.length > 0 && images.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
      requestAnimationFrame(isPainted ? () => done(performance.now()) : look);
    };
    requestAnimationFrame(look);
  });
})()`;

async function sessionOfImages({ address }: GroveProcess): Promise<string> {
  const { id } = await callApi(`${address}/api/sessions`, {
    method: "POST",
    body: { title: "Photos" },
    answer: z.looseObject({ id: z.string() }),
  });
  for (let n = 0; n < shown.messages; n++) {
    const parts: object[] = [{ type: "text", text: `Photos of day ${n + 1}` }];
    for (let k = 0; k < shown.each; k++) {
      const name = `photo-${n}-${k}.png`;
      parts.push(filePart({ ...(await storeFile(address, noisePng(shown))), name }));
    }
    await callApi(`${address}/api/sessions/${id}/messages`, {
      method: "POST",
      body: { id: randomUUID(), parts, generate: false },
      answer: z.unknown(),
    });
  }
  return id;
}

async function storeFile(address: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileWire> {
  const response = await fetch(`${address}/api/files?name=photo.png`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: bytes,
  });
  if (!response.ok) throw new Error(`A file was refused with status ${response.status}.`);
  return (await response.json()) as FileWire;
}

/** No two are alike, and none gets smaller by compression. */
function noisePng({ width, height }: { width: number; height: number }): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const lineBytes = 1 + 3 * width;
  const lines = randomBytes(height * lineBytes);
  for (let line = 0; line < height; line++) lines[line * lineBytes] = 0;
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from("89504e470d0a1a0a", "hex"),
      pngChunk("IHDR", header),
      pngChunk("IDAT", deflateSync(lines, { level: 0 })),
      pngChunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
