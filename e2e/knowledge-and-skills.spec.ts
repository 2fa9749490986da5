import { expect, type Locator } from "@playwright/test";
import { makeZip } from "@/app/_features/memory/skill-import/testing/make-zip";
import { expectAccessible } from "./support/accessible";
import { test } from "./support/test";

test.describe("Importing", () => {
  test("I import a folder with all its skills, and see which are replaced and which refused", async ({
    page,
  }) => {
    await page.goto("/settings?section=skills");
    const main = page.getByRole("main");
    const dialog = page.getByRole("dialog", { name: "Import skills" });
    await main.getByLabel("Import folder").setInputFiles("e2e/fixtures/skills");
    await expect(planned(dialog, "packing")).toContainText("New");
    await expect(planned(dialog, "minutes")).toContainText("New");
    await expect(planned(dialog, "old-notes")).toContainText("is not a text file.");
    await expect(planned(dialog, "packing")).toContainText("With 1 file: lists/winter.md");
    await expectAccessible(page, "import of skills");
    await dialog.getByRole("button", { name: "Import 2 skills" }).click();
    await expect(page.getByText("2 skills and 1 file imported.")).toBeVisible();
    await expect(main.getByRole("button", { name: "packing", exact: true })).toBeVisible();
    await expect(main.getByRole("button", { name: "minutes", exact: true })).toBeVisible();

    const changed = Buffer.from("---\nname: packing\n---\nPack less.");
    const archive = makeZip([
      { name: "all/packing/SKILL.md", content: changed },
      { name: "all/../../escape/SKILL.md", content: "Escape" },
      { name: "all/packing/map.png", content: Buffer.from([0x89, 0x50, 0, 1]) },
      { name: "all/readme.txt", content: "Read me" },
    ]);
    await main.getByLabel("Import file or zip").setInputFiles(await zipFile(archive));
    await expect(planned(dialog, "packing")).toContainText("Replaces");
    await expect(planned(dialog, "escape")).toContainText("has a path outside the archive.");
    await expect(dialog.getByText("1 other file will not be imported")).toBeVisible();
    await dialog.getByText("1 file beside skills will not be imported").click();
    await expect(dialog.getByText("“all/packing/map.png” is not a text file.")).toBeVisible();
    await dialog.getByRole("button", { name: "Import 1 skill" }).click();
    await expect(dialog).toBeHidden();
    await main.getByRole("button", { name: "packing", exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Instructions" })).toHaveValue("Pack less.");
  });

  test("I drop a skill onto the list", { tag: "@essential" }, async ({ page }) => {
    await page.goto("/settings?section=skills");
    const list = page.getByRole("main").getByRole("button", { name: "New skill" });
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["---\nname: whistling\n---\nPurse your lips."], "SKILL.md"));
      return data;
    });
    await list.dispatchEvent("dragenter", { dataTransfer: transfer });
    await expect(page.getByText("Drop SKILL.md files, a folder or a zip archive")).toBeVisible();
    await list.dispatchEvent("drop", { dataTransfer: transfer });
    const dialog = page.getByRole("dialog", { name: "Import skills" });
    await dialog.getByRole("button", { name: "Import 1 skill" }).click();
    await expect(
      page.getByRole("main").getByRole("button", { name: "whistling", exact: true }),
    ).toBeVisible();
  });
});

function planned(dialog: Locator, name: string): Locator {
  return dialog.getByRole("listitem").filter({ hasText: name });
}

async function zipFile(archive: Blob) {
  const buffer = Buffer.from(await archive.arrayBuffer());
  return { name: "skills.zip", mimeType: "application/zip", buffer };
}
