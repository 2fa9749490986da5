import { writeFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { answers, questions } from "./support/conversation";
import { test } from "./support/test";

const claude = {
  uuid: "c1",
  name: "Ponds",
  created_at: "2025-03-01T10:00:00Z",
  updated_at: "2025-03-02T10:00:00Z",
  account: { uuid: "u" },
  chat_messages: [
    ...turnOfClaude("a", { question: "How deep?", answer: "One metre." }),
    ...turnOfClaude("c", { question: "How deep in winter?", answer: "Deeper than the frost." }),
  ],
};

const openWebUi = {
  id: "w1",
  title: "Weather",
  chat: {
    title: "Weather",
    models: ["llama"],
    history: {
      messages: {
        a: { id: "a", parentId: null, childrenIds: ["b", "c"], role: "user", content: "Rain?" },
        b: { id: "b", parentId: "a", childrenIds: [], role: "assistant", content: "Yes, rain." },
        c: { id: "c", parentId: "a", childrenIds: [], role: "assistant", content: "No, sun." },
      },
      currentId: "c",
    },
  },
  created_at: 1_700_000_000,
  updated_at: 1_700_000_010,
  meta: { tags: ["home"] },
};

const libreChat = {
  conversationId: "l1",
  endpoint: "openAI",
  title: "Snakes",
  branches: true,
  recursive: false,
  messages: [
    messageOfLibreChat("a", { parent: null, text: "Which snake?" }),
    messageOfLibreChat("b", { parent: "a", text: "A python." }),
    messageOfLibreChat("c", { parent: "a", text: "An adder." }),
  ],
};

const messages = [
  { id: "1", role: "user", parts: [{ type: "text", text: "Which agent?" }] },
  { id: "2", role: "assistant", parts: [{ type: "text", text: "The one at the edge." }] },
];

test(
  "I bring chats from four other products at once, each with its branches",
  { tag: "@essential" },
  async ({ page }, testInfo) => {
    const exports = { claude: [claude], webui: [openWebUi], librechat: libreChat, agent: messages };
    const paths = Object.keys(exports).map((name) => testInfo.outputPath(`${name}.json`));
    for (const [n, each] of Object.values(exports).entries())
      await writeFile(paths[n] ?? "", JSON.stringify(each));
    await page.goto("/settings?section=data");
    await page.getByLabel("Import a file", { exact: true }).last().setInputFiles(paths);
    const dialog = page.getByRole("dialog", { name: "Import chats" });
    await expect(dialog).toContainText("4 chats, 12 messages, 3 extra branches from");
    for (const product of ["Claude", "Open WebUI", "LibreChat"])
      await expect(dialog).toContainText(product);
    await dialog.getByRole("button", { name: "Import 4 chats" }).click();
    await expect(dialog.getByRole("status")).toContainText("4 chats imported.");
    await expect(dialog).toContainText("We found 3 branches you may not have seen.");
    await dialog.getByRole("link", { name: "Ponds" }).click();
    await expect(questions(page)).toContainText("How deep in winter?");
    await page.getByRole("button", { name: "Previous version" }).click();
    await expect(answers(page)).toContainText("One metre.");
    await page.getByRole("link", { name: "Weather" }).click();
    await expect(answers(page)).toContainText("No, sun.");
    await page.getByRole("link", { name: "Snakes" }).click();
    await expect(answers(page)).toContainText("An adder.");
    await page.getByRole("link", { name: "agent" }).click();
    await expect(answers(page)).toContainText("The one at the edge.");
  },
);

function turnOfClaude(uuid: string, { question, answer }: { question: string; answer: string }) {
  const top = "00000000-0000-4000-8000-000000000000";
  const said = (sender: string, text: string) => ({
    sender,
    text,
    content: [{ type: "text", text }],
    created_at: "2025-03-01T10:00:00.123Z",
    attachments: [],
    files: [],
  });
  return [
    { ...said("human", question), uuid, parent_message_uuid: top },
    { ...said("assistant", answer), uuid: `${uuid}2`, parent_message_uuid: uuid },
  ];
}

function messageOfLibreChat(
  messageId: string,
  { parent, text }: { parent: string | null; text: string },
) {
  const parentMessageId = parent ?? "00000000-0000-0000-0000-000000000000";
  const isCreatedByUser = parent === null;
  return { messageId, parentMessageId, isCreatedByUser, text, createdAt: "2024-05-01T16:35:11Z" };
}
