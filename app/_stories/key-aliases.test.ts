import OpenAI from "openai";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { siteAddress } from "./testing/page-environment";
import { secretOf } from "./testing/programs-page";
import { programFetch } from "./testing/server";
import { test } from "./testing/test";

test("I give a program names for my models, and change them", async ({ page }) => {
  await page.goto("/settings?section=programs");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Editor");
  const names = form.getByRole("textbox", { name: "Model aliases" });
  await names.fill("gpt-4o");
  await form.getByRole("button", { name: "Create" }).click();
  await expect(form.getByText("“gpt-4o” is not a name, =, and a model.")).toBeVisible();
  await names.fill("gpt-4o = demo/grove");
  const apiKey = await secretOf(page, "Editor");
  await expect(page.getByText("gpt-4o = demo/grove")).toBeVisible();
  await page.getByRole("button", { name: "Model aliases of Editor" }).click();
  const dialog = page.getByRole("dialog", { name: "Model aliases of Editor" });
  await dialog.getByRole("textbox", { name: "Model aliases" }).fill("best = demo/grove");
  await expectAccessible(page, "the model names of a key");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("best = demo/grove")).toBeVisible();
  const { data } = await openaiOf(apiKey).models.list();
  expect(data.map(({ id }) => id)).toContain("best");
});

function openaiOf(apiKey: string): OpenAI {
  return new OpenAI({
    ...{ apiKey, baseURL: `${siteAddress}/v1`, fetch: programFetch, maxRetries: 0 },
    // A story has the globals of a page.
    dangerouslyAllowBrowser: true,
  });
}
