import { expect, vi } from "vitest";
import type { SharesWire } from "@/lib/chat/wire/shares";
import { importTurns } from "./testing/api";
import { test } from "./testing/test";

test("I save a chat as one page, and what I left out is not in it", async ({ page, request }) => {
  const saved = vi.fn(async (file: Blob) => file.text());
  const id = await importTurns(request, ["First <b>question</b>?", "**Yes**, at once."]);
  await page.goto(`/s/${id}`);
  await page.getByRole("button", { name: "Actions for Apples & pears" }).last().click();
  await page.getByRole("menuitem", { name: "Save as web page" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as web page" });
  for (const name of ["All branches", "Reasoning", "Tool inputs and outputs", "Files"])
    await expect(dialog.getByRole("switch", { name })).not.toBeChecked();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeEnabled();
  await dialog.getByRole("switch", { name: "All branches" }).click();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeEnabled();
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    void saved(file as Blob);
    return "blob:saved";
  });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  const html = await saved.mock.results[0]?.value;
  expect(html).toContain("First &#60;b&#62;question&#60;/b&#62;?");
  expect(html).toContain("<strong>Yes</strong>, at once.");
});

test("I share a chat by a link, update it, and stop it", { tags: "long" }, async ({
  page,
  request,
}) => {
  const id = await importTurns(request, ["First question", "First answer"]);
  await page.goto(`/s/${id}`);
  await page.getByRole("button", { name: "Actions for Apples & pears" }).last().click();
  await page.getByRole("menuitem", { name: "Share…" }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await expect(dialog).toBeFocused();
  for (const name of ["All branches", "Reasoning", "Files", "Title in previews"])
    await expect(dialog.getByRole("switch", { name })).not.toBeChecked();
  await expect(dialog.getByText("answers on this machine only")).toBeVisible();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = dialog.getByRole("region", { name: "Link" });
  await expect(link.getByText("Anyone with the link · 0 views")).toBeVisible();
  await dialog.getByRole("switch", { name: "All branches" }).click();
  await dialog.getByRole("button", { name: "Update link" }).click();
  const shares = async () =>
    (await (await request.get("/api/shares")).json<SharesWire>()).shares.map(({ shows }) => shows);
  await expect.poll(shares).toEqual([expect.objectContaining({ branches: true, files: false })]);
  await link.getByRole("button", { name: "Stop sharing" }).click();
  await expect(dialog.getByRole("button", { name: "Create link" })).toBeVisible();
  expect(await shares()).toEqual([]);
});

test("A deletion says that a link still shows the chat, and leads to it", { tags: "long" }, async ({
  page,
  request,
}) => {
  const id = await importTurns(request, ["First question", "First answer"]);
  await page.goto(`/s/${id}`);
  const choose = async (action: string) => {
    await page.getByRole("button", { name: "Actions for Apples & pears" }).last().click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await choose("Share…");
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(dialog.getByRole("region", { name: "Link" })).toBeVisible();
  await page.keyboard.press("Escape");
  await choose("Delete");
  await expect(page.getByText("Chat deleted. Its link still shows it.")).toBeVisible();
  await page.getByRole("button", { name: "Links" }).click();
  await expect(page.getByRole("button", { name: "Stop sharing" })).toBeVisible();
});
