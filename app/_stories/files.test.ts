import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { FileWire, NamedFileWire } from "@/lib/chat/wire/files";
import { answered, answers, composer, questions, rewrite, say } from "./testing/conversation";
import type { Locator } from "./testing/locator";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const picture = fileURLToPath(new URL("../../e2e/fixtures/files/leaf.png", import.meta.url));

const attached = (page: StoryPage) => page.getByRole("list", { name: "Attached files" });

async function pick(page: StoryPage, files: Parameters<Locator["setInputFiles"]>[0]) {
  // The models come once the page's scripts run.
  await expect(page.getByRole("button", { name: /^Model:/ })).toBeVisible();
  await page.getByLabel("Attach files").and(page.locator("input")).setInputFiles(files);
}

test("a file that cannot be taken says so beside it, and what was typed stays", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/");
  await composer(page).fill("Typed before");
  await pick(page, [
    { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) },
    { name: `${"n".repeat(5_000)}.txt`, mimeType: "text/plain", buffer: Buffer.from("x") },
    { name: "large.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(25_000_001) },
  ]);
  await expect(attached(page).getByRole("alert")).toHaveText([
    /is empty/,
    /longer than 255 characters/,
    /limited to 25 MB/,
  ]);
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await expect(composer(page)).toHaveValue("Typed before");
});

test("a file on its way shows how far it is, and I can take it back", { tags: "long" }, async ({
  page,
}) => {
  await page.route("**/api/files?*", () => new Promise(() => undefined));
  await page.goto("/");
  await composer(page).fill("Typed before");
  await pick(page, [{ name: "slow.txt", mimeType: "text/plain", buffer: Buffer.from("Slow") }]);
  await expect(attached(page).getByRole("progressbar", { name: "Upload" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await attached(page).getByRole("button", { name: "Cancel slow.txt" }).click();
  await expect(attached(page)).toBeHidden();
  await expect(composer(page)).toHaveValue("Typed before");
  await expect(page.getByRole("button", { name: "Send" })).toBeEnabled();
});

test("a picture of code is drawn from its file", { tags: "long" }, async ({ page }) => {
  await page.goto("/");
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>Leaf</title></svg>';
  await pick(page, [{ name: "leaf.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) }]);
  await attached(page)
    .getByRole("button", { name: /^Open leaf\.svg/ })
    .click();
  const viewer = page.getByRole("dialog", { name: "leaf.svg" });
  await expect(viewer).toContainText("<title>Leaf</title>");
  await viewer.getByRole("button", { name: "Preview" }).click();
  await expect(viewer.locator("iframe")).toHaveAttribute("sandbox", "allow-scripts allow-forms");
  await viewer.getByRole("button", { name: "Text", exact: true }).click();
  await expect(viewer).toContainText("<title>Leaf</title>");
});

test("an edited question keeps its files", { tags: "long" }, async ({ page }) => {
  await page.goto("/");
  await pick(page, picture);
  await expect(attached(page)).toContainText("64 × 48");
  await say(page, "Which tree is this?");
  await page.waitForURL(/\/s\//);
  await answered(page);
  await rewrite(questions(page), "And which leaf?", "Send");
  await expect(questions(page)).toContainText("And which leaf?");
  await answered(page);
  await expect(answers(page)).toContainText("leaf.png: image/png");
});

test("a draft keeps its files over a reload", { tags: "long" }, async ({ page }) => {
  await page.goto("/");
  await composer(page).fill("Unfinished");
  await pick(page, picture);
  await expect(attached(page)).toContainText("64 × 48");
  await page.reload();
  await expect(composer(page)).toHaveValue("Unfinished");
  await expect(attached(page)).toContainText("leaf.png");
});

test("files dropped anywhere are attached, and the page stays", { tags: "long" }, async ({
  page,
}) => {
  await page.goto("/");
  await composer(page).fill("Kept");
  const files = [
    new File(["a,b\n1,2\n"], "table.csv", { type: "text/csv" }),
    new File(["# Title"], "notes.md"),
  ];
  const transfer = { types: ["Files"], files };
  await page.dispatchEvent("dragover", { dataTransfer: transfer });
  await expect(page.getByText("Drop files to attach them")).toBeVisible();
  await expect(page.getByText(/Word \(docx\), Excel \(xlsx\)/)).toBeVisible();
  await page.dispatchEvent("drop", { dataTransfer: transfer });
  await expect(attached(page).getByRole("listitem")).toHaveCount(2);
  await expect(composer(page)).toHaveValue("Kept");
  await say(page, "Add them up");
  await answered(page);
  await expect(answers(page)).toContainText("table.csv: text");
  await expect(answers(page)).toContainText("notes.md: text");
});

const longText = `First line\n\t${"word ".repeat(1_200)}\nlast — line  `;

function pasteText(page: StoryPage, text: string): Promise<void> {
  const clipboardData = { types: ["text/plain"], files: [], items: [], getData: () => text };
  return composer(page).dispatchEvent("paste", { clipboardData });
}

test("a long paste can be edited as a file, and goes on as I left it", { tags: "long" }, async ({
  page,
}) => {
  await page.goto("/");
  await pasteText(page, longText);
  const open = attached(page).getByRole("button", { name: "Open Pasted text.txt" });
  await open.click();
  const dialog = page.getByRole("dialog", { name: "Pasted text.txt" });
  await dialog.getByRole("button", { name: "Edit text" }).click();
  const field = dialog.getByRole("textbox", { name: "Text of Pasted text.txt" });
  await expect(field).toHaveValue(longText);
  await field.fill(`${longText}\nand one more`);
  await dialog.getByRole("button", { name: "Save text" }).click();
  await expect(dialog).toBeHidden();
  await open.click();
  await dialog.getByRole("button", { name: "Put in message" }).click();
  await expect(composer(page)).toHaveValue(`${longText}\nand one more`);
});

test("a long paste becomes a file that can be put into the message, exactly as it was", async ({
  page,
}) => {
  await page.goto("/");
  await pasteText(page, longText);
  await attached(page).getByRole("button", { name: "Open Pasted text.txt" }).click();
  const dialog = page.getByRole("dialog", { name: "Pasted text.txt" });
  await expect(dialog).toContainText("last — line");
  await dialog.getByRole("button", { name: "Put in message" }).click();
  await expect(composer(page)).toHaveValue(longText);
  await expect(attached(page)).toBeHidden();
});

test("facts of several files come in one answer, without those that are not stored", async ({
  request,
}) => {
  const put = async (words: string) => {
    const sent = {
      data: Buffer.from(words),
      headers: { "content-type": "application/octet-stream" },
    };
    return (await request.post("/api/files?name=a.txt", sent)).json<FileWire>();
  };
  const [first, second] = [await put("First"), await put("Second")];
  const id = second.sha256.slice(0, 12);
  const of = [first.sha256, id, id, "0".repeat(64), "zz", ""].join(",");
  const answer = await request.get(`/api/files/facts?of=${of}`);
  const { files } = await answer.json<{ files: NamedFileWire[] }>();
  expect(files).toEqual([
    { ...first, asked: first.sha256 },
    { ...second, asked: id },
  ]);
  expect(await (await request.get("/api/files/facts")).json()).toEqual({ files: [] });
});
