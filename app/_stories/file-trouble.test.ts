import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { S3Server, testCredentials } from "@/lib/s3/testing/s3-server";
import { answered, answers, composer, questions, say } from "./testing/conversation";
import { endServer, startServer } from "./testing/server";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

let bucket: S3Server;

beforeAll(async () => {
  bucket = await S3Server.start("files");
  await startServer({
    GROVE_FILES_S3_ENDPOINT: bucket.endpoint,
    GROVE_FILES_S3_BUCKET: "files",
    GROVE_FILES_S3_ACCESS_KEY_ID: testCredentials.accessKeyId,
    GROVE_FILES_S3_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
  });
});
afterAll(async () => {
  await endServer();
  await bucket.stop();
});

afterEach(() => {
  bucket.behaviour = "normal";
  bucket.objects.clear();
});

const attached = (page: StoryPage) => page.getByRole("list", { name: "Attached files" });

const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Apples are ripe") };

const picture = fileURLToPath(new URL("../../e2e/fixtures/files/leaf.png", import.meta.url));

async function attach(page: StoryPage, file: typeof notes | string) {
  await expect(page.getByRole("button", { name: /^Model:/ })).toBeVisible();
  await page.getByLabel("Attach files").and(page.locator("input")).setInputFiles(file);
}

test("a bucket that is down refuses the file with a sentence, and takes it once it is back", {
  tags: "long",
}, async ({ page }) => {
  bucket.behaviour = "broken";
  await page.goto("/");
  await composer(page).fill("Typed before");
  await attach(page, notes);
  await expect(attached(page).getByRole("alert")).toContainText("Bucket “files”");
  await expect(composer(page)).toHaveValue("Typed before");
  expect([...bucket.objects.keys()]).toEqual([]);
  bucket.behaviour = "normal";
  await attached(page).getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
  await composer(page).press("Enter");
  await page.waitForURL(/\/s\//);
  await answered(page);
  await expect(answers(page)).toContainText("notes.txt: text");
});

test("a bucket that has gone since says so in the answer, and keeps the question", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/");
  await attach(page, picture);
  await expect(attached(page)).toContainText("64 × 48");
  bucket.behaviour = "broken";
  await say(page, "Which tree is this?");
  await page.waitForURL(/\/s\//);
  await expect(answers(page).getByRole("alert")).toContainText("Bucket “files”");
  await expect(questions(page)).toContainText("Which tree is this?");
  await expect(questions(page).getByRole("img", { name: "leaf.png" })).toBeVisible();
  bucket.behaviour = "normal";
  await answers(page).getByRole("button", { name: "Retry" }).click();
  await expect(answers(page)).toContainText("leaf.png: image/png");
});

test("a full disk is said beside the file, which can be tried again", async ({ page }) => {
  const message = "The disk for files that arrive is full.";
  await page.route("**/api/files?*", (route) =>
    route.fulfill({ status: 507, json: { error: { code: "disk-full", message } } }),
  );
  await page.goto("/");
  await composer(page).fill("Typed before");
  await attach(page, notes);
  await expect(attached(page).getByRole("alert")).toContainText(message);
  await expect(composer(page)).toHaveValue("Typed before");
  await page.unroute("**/api/files?*");
  await attached(page).getByRole("button", { name: "Retry" }).click();
  await expect(attached(page)).toContainText("15 B");
});
