import { writeFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { chatGptChat, type Said } from "@/lib/history/testing/chatgpt-export";
import { expectAccessible } from "./support/accessible";
import { answers, questions } from "./support/conversation";
import { test } from "./support/test";

const chat = (id: string, title: string, said: readonly Said[]) =>
  chatGptChat(said, { id, conversation_id: id, title });

async function zipAt(path: string, files: Record<string, unknown>): Promise<void> {
  const { BlobWriter, TextReader, ZipWriter } = await import("@zip.js/zip.js");
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [name, value] of Object.entries(files))
    await writer.add(
      name,
      new TextReader(typeof value === "string" ? value : JSON.stringify(value)),
    );
  await writeFile(path, Buffer.from(await (await writer.close()).arrayBuffer()));
}

async function choose(page: Page, paths: string | string[]) {
  await page.goto("/settings?section=data");
  await page.getByLabel("Import a file", { exact: true }).last().setInputFiles(paths);
  return page.getByRole("dialog", { name: "Import chats" });
}

test.describe("My history elsewhere", () => {
  test("I bring my chats from ChatGPT with their branches, and a second time changes nothing", async ({
    page,
  }, testInfo) => {
    const path = testInfo.outputPath("chatgpt.zip");
    const id = crypto.randomUUID();
    await zipAt(path, {
      "conversations-000.json": [
        chat(`${id}-1`, "An orchard", [
          {
            id: "i",
            content: { content_type: "user_editable_context", user_profile: "I grow apples." },
          },
          {
            id: "q",
            parent: "i",
            text: "Which tree?",
            message: { metadata: { attachments: [{ id: "file-1b", name: "leaf.txt" }] } },
          },
          { id: "a1", parent: "q", role: "assistant", text: "An oak.", at: 1_700_000_001 },
          { id: "a2", parent: "q", role: "assistant", text: "A maple.", at: 1_700_000_002 },
        ]),
        { title: "Broken", mapping: 3 },
      ],
      "conversations-001.json": [chat(`${id}-2`, "Not wanted", [{ id: "q", text: "Never mind" }])],
      "file-1b-leaf.txt": "A leaf has lobes.",
      "user.json": { id: "user" },
    });
    const dialog = await choose(page, path);
    await expect(dialog).toContainText("2 chats, 4 messages, 1 extra branch from ChatGPT.");
    await expect(dialog.getByRole("list", { name: "Not imported" })).toContainText(
      "Broken: Chat 2 is damaged",
    );
    await expect(dialog.getByRole("list", { name: "Custom instructions" })).toContainText(
      "I grow apples.",
    );
    await expectAccessible(page, "import preview");
    await dialog.getByRole("checkbox", { name: "Not wanted" }).uncheck();
    await dialog.getByRole("button", { name: "Import 1 chat" }).click();
    await expect(dialog.getByRole("status")).toContainText("1 chat imported.");
    await expect(dialog).toContainText("We found 1 branch you may not have seen.");
    await expectAccessible(page, "import report");

    await dialog.getByRole("link", { name: "An orchard" }).click();
    await expect(questions(page)).toContainText("Which tree?");
    await expect(questions(page)).toContainText("leaf.txt");
    await expect(answers(page)).toContainText("A maple.");
    await page.getByRole("button", { name: "Previous version" }).click();
    await expect(answers(page)).toContainText("An oak.");
    const chats = page.getByRole("navigation", { name: "Chats" });
    await expect(chats.getByRole("link", { name: "An orchard" })).toBeVisible();
    await expect(chats.getByRole("link", { name: "Not wanted" })).toBeHidden();
    const { proposals } = await (await page.request.get("/api/proposals?status=open")).json();
    expect(proposals).toMatchObject([{ program: "ChatGPT", after: "I grow apples." }]);

    const again = await choose(page, path);
    await again.getByRole("checkbox", { name: "Not wanted" }).uncheck();
    await again.getByRole("button", { name: "Import 1 chat" }).click();
    await expect(again.getByRole("status")).toContainText("0 chats imported, 1 already here.");
  });

  test(
    "I bring Markdown and a file that is no chat, and I read what became of each",
    { tag: "@essential" },
    async ({ page }, testInfo) => {
      const [markdown, other] = [
        testInfo.outputPath("bread.md"),
        testInfo.outputPath("other.json"),
      ];
      await writeFile(markdown, "# Bread\n\n## You\n\nWhich flour?\n\n## Assistant\n\nRye.\n");
      await writeFile(other, "Not JSON");
      const dialog = await choose(page, [markdown, other]);
      await expect(dialog).toContainText("1 chat, 2 messages from Markdown.");
      await expect(dialog).toContainText("other.json: It is not valid JSON");
      await dialog.getByRole("button", { name: "Import 1 chat" }).click();
      await expect(dialog.getByRole("status")).toContainText("1 chat imported.");
      await dialog.getByRole("button", { name: "Close" }).last().click();
      await page.getByRole("link", { name: "Bread" }).click();
      await expect(answers(page)).toContainText("Rye.");
    },
  );

  test("I see that an import was interrupted, and go on where it ended", async ({
    page,
  }, testInfo) => {
    const path = testInfo.outputPath("conversations.json");
    const id = crypto.randomUUID();
    await writeFile(path, JSON.stringify([chat(id, "A hedge", [{ id: "q", text: "How high?" }])]));
    const dialog = await choose(page, path);
    await page.route("**/api/import", (route) => route.abort());
    await dialog.getByRole("button", { name: "Import 1 chat" }).click();
    await expect(dialog.getByRole("alert")).toBeVisible();
    await page.unroute("**/api/import");
    await dialog.getByRole("button", { name: "Continue with 1 chat" }).click();
    await expect(dialog.getByRole("status")).toContainText("1 chat imported.");
  });

  test("closing an import that runs stops it and says what came in", async ({ page }, testInfo) => {
    const path = testInfo.outputPath("conversations.json");
    const id = crypto.randomUUID();
    await writeFile(path, JSON.stringify([chat(id, "A hedge", [{ id: "q", text: "How high?" }])]));
    const dialog = await choose(page, path);
    const held = Promise.withResolvers<void>();
    await page.route("**/api/import", async (route) => {
      await held.promise;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Import 1 chat" }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog.getByRole("button", { name: "Stopping…" })).toBeVisible();
    held.resolve();
    await expect(dialog.getByRole("status")).toContainText("1 chat imported");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(dialog).toBeHidden();
  });

  test("after a suggestion failed I suggest again, with no chats left to import", async ({
    page,
  }, testInfo) => {
    const path = testInfo.outputPath("chatgpt.zip");
    const id = crypto.randomUUID();
    const profile = { content_type: "user_editable_context", user_profile: "I grow plums." };
    await zipAt(path, {
      "conversations-000.json": [
        chat(id, "Plums", [
          { id: "i", content: profile },
          { id: "q", text: "When to prune?" },
        ]),
      ],
    });
    const dialog = await choose(page, path);
    await dialog.getByRole("checkbox", { name: /^Suggest/ }).check();
    await page.route("**/api/proposals", (route) => route.abort());
    await dialog.getByRole("button", { name: "Import 1 chat" }).click();
    await expect(dialog.getByRole("alert")).toBeVisible();
    await page.unroute("**/api/proposals");
    await dialog.getByRole("button", { name: "Suggest again" }).click();
    await expect(dialog).toContainText("They wait under Memory.");
  });
});
