import OpenAI from "openai";
import { expect } from "vitest";
import type { ProjectsWire } from "@/lib/chat/wire/projects";
import type { SessionPageWire } from "@/lib/chat/wire/sessions";
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
  await form.getByText("More", { exact: true }).click();
  const names = form.getByRole("textbox", { name: "Model aliases" });
  await names.fill("gpt-4o");
  await form.getByRole("button", { name: "Create" }).click();
  await expect(form.getByText("“gpt-4o” is not a name, =, and a model.")).toBeVisible();
  await names.fill("gpt-4o = demo/grove");
  const apiKey = await secretOf(page, "Editor");
  await expect(page.getByText("gpt-4o = demo/grove")).toBeVisible();
  await page.getByRole("button", { name: "Change Editor" }).click();
  const dialog = page.getByRole("dialog", { name: "Change Editor" });
  await dialog.getByRole("textbox", { name: "Model aliases" }).fill("best = demo/grove");
  await expectAccessible(page, "the model names of a key");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("best = demo/grove")).toBeVisible();
  const { data } = await openaiOf(apiKey).models.list();
  expect(data.map(({ id }) => id)).toContain("best");
});

test("I change how a key keeps conversations, and for how long", { tags: "long" }, async ({
  page,
}) => {
  await page.goto("/settings?section=programs");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Editor");
  await secretOf(page, "Editor");
  await page.getByRole("button", { name: "Change Editor" }).click();
  const dialog = page.getByRole("dialog", { name: "Change Editor" });
  await dialog.getByRole("combobox", { name: "Conversations" }).click();
  await page.getByRole("option", { name: "Keep as a log, out of search" }).click();
  const days = dialog.getByRole("textbox", { name: "Delete chats after days" });
  await days.fill("soon");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Enter a number of days")).toBeVisible();
  await days.fill("30");
  await dialog.getByRole("textbox", { name: "Answers at once" }).fill("2");
  await expectAccessible(page, "how a key keeps conversations");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Keeps a log")).toBeVisible();
  await expect(page.getByText("deleted after 30 days")).toBeVisible();
  await expect(page.getByText("2 answers at once")).toBeVisible();
});

test("I make a project of a program's working folder, with a key for its settings", {
  tags: "long",
}, async ({ page, request }) => {
  await page.goto("/settings?section=programs");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Agent");
  const openai = openaiOf(await secretOf(page, "Agent"));
  const environment = "<environment_context><cwd>/home/me/tea</cwd></environment_context>";
  const said = "Use the tools of this folder.";
  const instructions = { role: "developer", content: `${said} `.repeat(50) } as const;
  const task = { role: "user", content: `${environment}\nMend the kettle` } as const;
  await openai.responses.create({ input: [instructions, task] });
  await page.goto("/");
  const programs = page.getByRole("region", { name: "Programs" });
  await programs.getByRole("button", { name: "Programs" }).click();
  await programs.getByRole("button", { name: "Agent" }).click();
  const folder = programs.getByRole("region", { name: "/home/me/tea" });
  await expect(folder.getByRole("link", { name: "Mend the kettle" })).toBeVisible();
  await expectAccessible(page, "chats of a folder");
  const link = folder.getByRole("link", { name: "New project for tea" });
  await expect(link).toHaveAttribute("href", "/settings?section=programs&key-for=tea");
  await folder.getByRole("link", { name: "Mend the kettle" }).click();
  const long = page.getByRole("article", { name: "Instructions" });
  await expect(long).not.toContainText(said);
  await long.getByText(/^Instructions for the answers below · 1,500 characters/).click();
  await expect(long).toContainText(said);
  await page.goto("/settings?section=programs&key-for=tea");
  await expect(form.getByRole("combobox", { name: "Place" })).toHaveText("A new project, tea");
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Tea house");
  const ofFolder = openaiOf(await secretOf(page, "Tea house"));
  await ofFolder.responses.create({ input: "Polish the kettle" });
  const { projects } = await (await request.get("/api/projects")).json<ProjectsWire>();
  const made = projects.find(({ name }) => name === "Tea house");
  const listed = await request.get(`/p/${made?.id}/api/sessions`);
  const { sessions } = await listed.json<SessionPageWire>();
  expect(sessions.map(({ title }) => title)).toEqual(["Polish the kettle"]);
});

test("I make a key for a project, and read its chats there", { tags: "long" }, async ({
  page,
  request,
}) => {
  const id = `p-${crypto.randomUUID()}`;
  await request.post("/api/projects", { data: { id, name: "Tea shop" } });
  await page.goto("/settings?section=programs");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Editor");
  await form.getByRole("combobox", { name: "Place" }).click();
  await page.getByRole("option", { name: "Tea shop" }).click();
  await expectAccessible(page, "the place of a key");
  const apiKey = await secretOf(page, "Editor");
  await expect(page.getByText("in Tea shop")).toBeVisible();
  await openaiOf(apiKey).responses.create({ input: "Which kettle?" });
  const programs = page.getByRole("region", { name: "Programs" });
  await page.goto("/");
  await expect(programs).toBeHidden();
  await page.goto(`/p/${id}`);
  await programs.getByRole("button", { name: "Programs" }).click();
  await programs.getByRole("button", { name: "Editor" }).click();
  await expect(programs.getByRole("link", { name: /Which kettle/ })).toHaveAttribute(
    "href",
    new RegExp(`^/p/${id}/s/`),
  );
  await request.delete(`/api/projects/${id}`);
  await page.goto("/settings?section=programs");
  await expect(page.getByText("in a deleted project")).toBeVisible();
});

function openaiOf(apiKey: string): OpenAI {
  return new OpenAI({
    ...{ apiKey, baseURL: `${siteAddress}/v1`, fetch: programFetch, maxRetries: 0 },
    // A story has the globals of a page.
    dangerouslyAllowBrowser: true,
  });
}
