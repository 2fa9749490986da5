import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { type FileWire, filePart } from "@/lib/chat/wire/files";
import { chatGptChat } from "@/lib/history/testing/chatgpt-export";
import { makeSession } from "./api";
import { questions } from "./conversation";

const pathOf = (name: string) =>
  fileURLToPath(new URL(`../../lib/files/fixtures/${name}`, import.meta.url));
const picture = fileURLToPath(new URL("../fixtures/files/leaf.png", import.meta.url));
const app = fileURLToPath(new URL("../../public/icon-512.png", import.meta.url));
const documents = ["report.pdf", "report.docx", "table.xlsx", "encrypted.pdf"].map(pathOf);

/** Makes a session of a question with an image alone, one with several, and one with documents; returns its id. */
export async function makeFileSession(api: APIRequestContext): Promise<string> {
  const sessionId = await makeSession(api, "Files of every kind");
  for (const paths of [[picture], [app, picture, app], [...documents, picture]]) {
    const files = await Promise.all(paths.map((path) => storeFile(api, path)));
    const parts = [{ type: "text", text: "What do you make of this?" }, ...files];
    const data = { id: randomUUID(), parts, generate: false };
    const send = () => api.post(`/api/sessions/${sessionId}/messages`, { data });
    // 425 while a file is read.
    await expect.poll(async () => (await send()).status(), { timeout: 60_000 }).toBe(201);
  }
  return sessionId;
}

async function storeFile(api: APIRequestContext, path: string) {
  const name = path.split("/").at(-1) ?? "";
  const response = await api.post("/api/files", {
    params: { name },
    headers: { "content-type": "application/octet-stream" },
    data: await readFile(path),
  });
  const file: FileWire = await response.json();
  return filePart({ ...file, name });
}

export const open = (name: string) => async (page: Page) => {
  await questions(page)
    .getByRole("button", { name: `Open ${name}` })
    .last()
    .click();
  await page.getByRole("dialog").waitFor();
};

export function fileScenes(sessionId: string) {
  const path = `/s/${sessionId}`;
  return [
    { name: "files-conversation", path },
    { name: "files-composer", path: "/", show: attachFiles },
    { name: "import-report", path: "/settings?section=data", show: importExport },
  ];
}

export async function attachFiles(page: Page): Promise<void> {
  const long = { name: `${"a name that goes on ".repeat(9)}.txt`, mimeType: "text/plain" };
  const input = page.getByLabel("Attach files").and(page.locator("input"));
  await input.setInputFiles([picture, ...documents]);
  await input.setInputFiles([{ ...long, buffer: Buffer.from("Apples are ripe.") }]);
  await input.setInputFiles([{ ...long, name: "empty.txt", buffer: Buffer.alloc(0) }]);
  await page.getByText("16 B").waitFor();
}

export async function chooseExport(page: Page): Promise<void> {
  const chats = Array.from({ length: 40 }, (_, n) =>
    chatGptChat(
      [
        { id: "q", text: `Which tree bears fruit number ${n}?` },
        ...Array.from({ length: 1 + (n % 4) }, (_, k) => ({
          id: `a${k}`,
          parent: "q",
          role: "assistant",
          text: `It may be tree ${k}.`,
          at: 1_700_000_000 + k,
        })),
      ],
      {
        id: `gallery-${n}`,
        conversation_id: `gallery-${n}`,
        title: n === 2 ? "A title that goes on ".repeat(9) : `Orchard ${n}`,
      },
    ),
  );
  const file = Buffer.from(JSON.stringify([...chats, { title: "Broken", mapping: 3 }]));
  const given = { name: "conversations.json", mimeType: "application/json", buffer: file };
  await page.getByLabel("Import a file", { exact: true }).last().setInputFiles(given);
  await page.getByRole("button", { name: /^Import \d+ chats$/ }).waitFor();
}

async function importExport(page: Page): Promise<void> {
  await chooseExport(page);
  await page.getByRole("button", { name: /^Import \d+ chats$/ }).click();
  await page.getByRole("button", { name: "Close" }).last().waitFor();
}
