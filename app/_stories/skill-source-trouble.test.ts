import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { closedBucket, endServer, startServer } from "./testing/server";
import { ask, askFirst, openDrawer } from "./testing/session-page";
import { test } from "./testing/test";

let skillsFolder = "";

beforeAll(async () => {
  skillsFolder = join(await mkdtemp(join(tmpdir(), "grove-skills-")), "guides");
  await cp("e2e/fixtures/skills", skillsFolder, { recursive: true });
  await startServer({ GROVE_SKILLS_DIR: skillsFolder, ...closedBucket });
});
afterAll(async () => {
  await endServer();
  await rm(dirname(skillsFolder), { recursive: true });
});

test("a folder of skills that is gone says so in the drawer, and I am answered all the same", {
  tags: "long",
}, async ({ page }) => {
  await askFirst(page, "What can you do?");
  const memory = await openDrawer(page, "Memory");
  const folder = memory.getByRole("article", { name: "Skills folder" });
  await folder.getByRole("button", { name: "Load packing" }).click();
  await expect(folder.getByText("Loaded", { exact: true })).toBeVisible();

  await rename(skillsFolder, `${skillsFolder}-away`);
  const answer = await ask(page, "Remember that I travel light");
  await expect(answer.getByRole("list", { name: "Memory changes" })).toBeVisible();
  await page.reload();
  await expect(folder.getByRole("alert")).toContainText("does not exist");
  await expect(memory.getByRole("article", { name: "About you", exact: true })).toContainText(
    "Travels light",
  );
  await expect(await ask(page, "Load the skill packing")).toContainText(/packing/);

  await rename(`${skillsFolder}-away`, skillsFolder);
  await folder.getByRole("button", { name: "Retry" }).click();
  await expect(folder).toContainText("3 skills");
  await expect(folder.getByText("Loaded", { exact: true })).toBeVisible();
});

test("a bucket that does not answer says so in the drawer, and I am answered all the same", async ({
  page,
}) => {
  await askFirst(page, "What can you do?");
  const memory = await openDrawer(page, "Memory");
  const bucket = memory.getByRole("article", { name: "Skills bucket" });
  await expect(bucket.getByRole("alert")).toContainText(
    "Bucket “closed” at 127.0.0.1:9 cannot be reached",
  );
  const answer = await ask(page, "Remember that I like buckets");
  await expect(answer.getByRole("list", { name: "Memory changes" })).toBeVisible();
  await expect(answer.getByRole("alert")).toHaveCount(0);
});
