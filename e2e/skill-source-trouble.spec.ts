import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { test as base } from "./support/own-grove";
import { ask, askFirst, openDrawer } from "./support/session-page";

const test = base.extend<object, { skillsFolder: string }>({
  skillsFolder: [
    async ({ browserName: _ }, use) => {
      const folder = await mkdtemp(join(tmpdir(), "grove-skills-"));
      await cp("e2e/fixtures/skills", join(folder, "guides"), { recursive: true });
      await use(join(folder, "guides"));
      await rm(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  groveEnvironment: [
    ({ skillsFolder }, use) =>
      use({
        GROVE_SKILLS_DIR: skillsFolder,
        // Nobody listens there.
        GROVE_SKILLS_S3_ENDPOINT: "http://127.0.0.1:9",
        GROVE_SKILLS_S3_BUCKET: "closed",
        GROVE_SKILLS_S3_ACCESS_KEY_ID: "AKIDOFTHISTEST",
        GROVE_SKILLS_S3_SECRET_ACCESS_KEY: "a-secret-nobody-may-see",
      }),
    { scope: "worker" },
  ],
});

// One server for the file: each story would start another.
test.describe.configure({ mode: "default" });

test("a folder of skills that is gone says so in the drawer, and I am answered all the same", async ({
  page,
  skillsFolder,
}) => {
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
  await expect(memory.getByRole("article", { name: "Memory", exact: true })).toContainText(
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
