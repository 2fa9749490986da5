import { describe, expect } from "vitest";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import type { ProjectsWire, ProjectWire } from "@/lib/chat/wire/projects";
import type { SessionPageWire } from "@/lib/chat/wire/sessions";
import { services } from "@/lib/server/services";
import { answered, composer, converse, say } from "./testing/conversation";
import { openDrawer } from "./testing/session-page";
import { type StoryRequest, test } from "./testing/test";

async function makeProject(request: StoryRequest, name: string): Promise<string> {
  const id = `p-${crypto.randomUUID()}`;
  const made = await request.post("/api/projects", { data: { id, name } });
  expect(made.status(), await made.text()).toBe(201);
  return id;
}

async function projects(request: StoryRequest): Promise<ProjectWire[]> {
  return (await (await request.get("/api/projects")).json<ProjectsWire>()).projects;
}

describe("Projects", () => {
  test("I name one, and it stands above my chats", async ({ page, request }) => {
    await page.goto("/");
    const list = page.getByRole("navigation", { name: "Projects" });
    await list.getByRole("button", { name: "New project" }).click();
    const dialog = page.getByRole("dialog", { name: "New project" });
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog).toContainText("Name the project.");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Tea shop");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog).toBeHidden();
    const [made] = await projects(request);
    expect(made?.name).toBe("Tea shop");
    await expect(list.getByRole("link", { name: "Tea shop" })).toHaveAttribute(
      "href",
      `/p/${made?.id}`,
    );
  });

  test("a new chat begins with the assistant and the model of the project", async ({
    page,
    request,
  }) => {
    const space = await makeProject(request, "Tea shop");
    const open = async () => {
      await page.goto(`/p/${space}`);
      return page.getByRole("button", { name: /^Model: / });
    };
    await open();
    await page.getByRole("combobox", { name: "Default assistant" }).click();
    await page.getByRole("option", { name: "Critic" }).click();
    await expect(page.getByRole("button", { name: /^Model: .*, as Critic$/ })).toBeVisible();
    await say(page, "Here is a plan.");
    await answered(page);
    await expect(await openDrawer(page, "Context")).toContainText("Assistant: Critic, version 1");

    await (await open()).click();
    await page.getByRole("combobox", { name: "Assistant", exact: true }).click();
    await page.getByRole("option", { name: "None" }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: /^Model: (?!.*Critic)/ })).toBeVisible();
    await say(page, "And another plan.");
    await answered(page);
    await expect(await openDrawer(page, "Context")).not.toContainText("Assistant:");

    const change = async (defaultModel: string) => {
      const data = { defaultModel, icon: "sprout" };
      return (await request.patch(`/api/projects/${space}`, { data })).status();
    };
    expect(await change("gone/model")).toBe(400);
    expect(await change("demo/grove-demo")).toBe(200);
    expect((await projects(request))[0]).toMatchObject({
      icon: "sprout",
      defaultAssistant: "critic",
    });
    const id = crypto.randomUUID();
    const chat = `/p/${space}/api/sessions/${id}`;
    await request.post(`${chat}/messages`, {
      data: { id: crypto.randomUUID(), parts: [{ type: "text", text: "Hi" }], newSession: {} },
    });
    const last = async () =>
      (await (await request.get(`${chat}/transcript`)).json<TranscriptWire>()).entries.at(-1);
    await expect
      .poll(async () => (await last())?.message.metadata)
      .toMatchObject({ assistant: { name: "Critic" }, choice: "project" });
    const words = { data: { icon: "ab" } };
    expect((await request.patch(`/api/projects/${space}`, words)).status()).toBe(400);
  });

  test("its chats, drafts and memory are its own", { tags: "long" }, async ({ page, request }) => {
    const space = await makeProject(request, "Tea shop");
    await request.put("/api/blocks/memory", {
      data: { content: "Likes rain.", expectedVersion: 0 },
    });
    await converse(page, "Which tree is tallest?");
    await page.goto("/");
    await composer(page).fill("A draft of my own");

    await page.goto(`/p/${space}`);
    await expect(page.getByRole("heading", { name: "Tea shop", level: 2 })).toBeVisible();
    await expect(composer(page)).toHaveValue("");
    await say(page, "How hot is the water for green tea?");
    await page.waitForURL(new RegExp(`/p/${space}/s/`));
    await answered(page);
    const chats = page.getByRole("navigation", { name: "Chats" });
    await expect(chats.getByRole("link", { name: /green tea/ })).toBeVisible();
    await expect(chats.getByRole("link", { name: /tallest/ })).toHaveCount(0);
    await expect(await openDrawer(page, "Memory")).not.toContainText("Likes rain.");
    const context = await openDrawer(page, "Context");
    await context.getByText("Details").click();
    await expect(context.getByRole("heading", { name: "Your own memory" })).toBeVisible();
    await expect(context).toContainText("Likes rain.");
    const here = page.getByRole("navigation", { name: "Projects" });
    await expect(here.getByRole("link", { name: "Tea shop" })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await expect(here.getByRole("link", { name: "My chats" })).toHaveAttribute("href", "/");
    await composer(page).fill("A draft of the shop");

    await page.goto("/");
    await expect(composer(page)).toHaveValue("A draft of my own");
    await expect(chats.getByRole("link", { name: /tallest/ })).toBeVisible();
    await expect(chats.getByRole("link", { name: /green tea/ })).toHaveCount(0);
  });

  test("a message that is not sent yet is sent from elsewhere, too", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const space = await makeProject(request, "Tea shop");
    const before = (await (await request.get("/api/sessions")).json<SessionPageWire>()).sessions
      .length;
    await page.goto(`/p/${space}`);
    const sent = /\/messages$/;
    await page.route(sent, (route) => route.abort());
    await say(page, "How hot is the water for green tea?");
    await expect(page.getByText("Will send when you're back online")).toBeVisible();
    await page.unroute(sent);
    await page.goto("/");
    const storedIn = async (path: string) => {
      const { sessions } = await (await request.get(path)).json<SessionPageWire>();
      return sessions.length;
    };
    await expect.poll(() => storedIn(`/p/${space}/api/sessions`)).toBe(1);
    expect(await storedIn("/api/sessions")).toBe(before);
  });

  test("I move a chat into one, follow it, and have it back", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const space = await makeProject(request, "Tea shop");
    await converse(page, "Which tree is tallest?");
    const chats = page.getByRole("navigation", { name: "Chats" });
    const chat = chats.getByRole("link", { name: /tallest/ });
    const move = async () => {
      await chats.getByRole("button", { name: /^Actions for .*tallest/ }).click();
      await page.getByRole("menuitem", { name: "Move to…" }).click();
      const dialog = page.getByRole("dialog", { name: "Move to…" });
      await expect(dialog).toContainText("Your memory stays yours");
      await expect(dialog.getByRole("button", { name: "My chats" })).toHaveCount(0);
      await dialog.getByRole("button", { name: "Tea shop" }).click();
      await expect(page.getByText("Chat moved to Tea shop")).toBeVisible();
    };
    const storedThere = async () => {
      const listed = await request.get(`/p/${space}/api/sessions`);
      return (await listed.json<SessionPageWire>()).sessions.length;
    };
    await composer(page).fill("A draft of it");
    await move();
    await expect(page).toHaveURL("/");
    await expect(chat).toHaveCount(0);
    expect(await storedThere()).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(chat).toBeVisible();
    expect(await storedThere()).toBe(0);
    await chat.click();
    await expect(composer(page)).toHaveValue("A draft of it");
  });

  test("settings say what is the project's and what is mine", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const space = await makeProject(request, "Tea shop");
    await page.goto(`/p/${space}/settings?section=blocks`);
    await expect(page.getByText("Of the project “Tea shop”")).toBeVisible();
    await expect(page.getByText("Let the model update memory")).toHaveCount(0);
    await page.goto(`/p/${space}/settings?section=assistants`);
    await expect(page.getByText("Of the project “Tea shop”")).toBeVisible();
    await page.goto(`/p/${space}/settings?section=prompts`);
    await expect(page.getByText("Yours, in every project")).toBeVisible();
    await page.goto(`/p/${space}/settings?section=data`);
    await expect(page.getByRole("link", { name: "Export" })).toHaveAttribute(
      "href",
      `/p/${space}/api/export`,
    );
    await page.goto("/settings?section=data");
    await expect(page.getByRole("link", { name: "Export" })).toHaveAttribute("href", "/api/export");
  });

  test("I rename it, keep my memory out of it, delete it and have it back", {
    tags: "long",
  }, async ({ page, request }) => {
    const space = await makeProject(request, "Tea shop");
    await page.goto(`/p/${space}`);
    const memory = page.getByRole("switch", { name: "Use my memory here" });
    await expect(memory).toBeChecked();
    await memory.click();
    await expect(memory).not.toBeChecked();
    const more = page.getByRole("button", { name: "More of this project" });
    await more.click();
    await page.getByRole("menuitem", { name: "Name and icon" }).click();
    const dialog = page.getByRole("dialog", { name: "Name and icon" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Tea room");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { name: "Tea room", level: 2 })).toBeVisible();
    expect(await projects(request)).toMatchObject([{ name: "Tea room", personalMemory: false }]);

    await more.click();
    await page.getByRole("menuitem", { name: "Delete project" }).click();
    await expect(page.getByText("This project is not open to you any more.")).toBeVisible();
    expect(await projects(request)).toEqual([]);
    await page.goto(`/?deleted-project=${space}`);
    await expect(page).toHaveURL("/");
    await page.getByRole("button", { name: "Undo" }).click();
    const list = page.getByRole("navigation", { name: "Projects" });
    await expect(list.getByRole("link", { name: "Tea room" })).toBeVisible();

    await request.delete(`/api/projects/${space}`);
    await page.goto("/settings?section=deleted");
    await expect(page.getByText("29 days left")).toBeVisible();
    await page.getByRole("button", { name: "Restore “Tea room”" }).click();
    await expect(list.getByRole("link", { name: "Tea room" })).toBeVisible();
  });

  test("I read a project of others: nothing on its pages would be refused", {
    tags: "long",
  }, async ({ page, request }) => {
    const space = await makeProject(request, "Tea shop");
    await page.goto(`/p/${space}`);
    await say(page, "Which tree is tallest?");
    await answered(page);
    const place = `/p/${space}/api`;
    const { sessions } = await (await request.get(`${place}/sessions`)).json<SessionPageWire>();
    await services().sql`update account_member set role = 'reader' where space_id = ${space}`;
    await page.goto(`/p/${space}/s/${sessions[0]?.id}`);
    await expect(page.getByText("You can read this project.")).toBeVisible();
    await expect(page.getByText("Which tree is tallest?").first()).toBeVisible();
    const refused = ["New chat", "Edit", "Regenerate", "Send message", "Undo"];
    const buttons = async () => {
      for (const name of refused)
        await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
      await expect(page.getByRole("link", { name: "New chat" })).toHaveCount(0);
    };
    await buttons();
    await page.getByRole("button", { name: "More actions" }).first().click();
    await expect(page.getByRole("menuitem", { name: "Show prompt" })).toBeVisible();
    for (const name of ["Delete", "Bookmark", "Continue here", "Branch in new chat"])
      await expect(page.getByRole("menuitem", { name })).toHaveCount(0);
    await page.keyboard.press("Escape");
    for (const tab of ["Memory", "Context", "Tree"] as const) {
      await openDrawer(page, tab);
      await buttons();
    }
    await page.goto(`/p/${space}/settings?section=blocks`);
    await expect(page.getByText("Nothing here yet.").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^(Edit|History|New section)/ })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Data" })).toHaveCount(0);
    await page.goto(`/p/${space}`);
    await expect(page.getByRole("button", { name: "More of this project" })).toHaveCount(0);
    await expect(page.getByRole("combobox", { name: "Default assistant" })).toHaveCount(0);
  });

  test("the palette finds projects, and what was said in my other places", {
    tags: "long",
  }, async ({ page, request }) => {
    const space = await makeProject(request, "Tea shop");
    await makeProject(request, "Garden");
    await converse(page, "Which tree is tallest?");
    await page.goto(`/p/${space}`);
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search and commands" });
    await palette.getByRole("combobox").fill("gard");
    await expect(palette.getByRole("option", { name: "Garden" })).toBeVisible();
    await palette.getByRole("combobox").fill("tallest tree");
    await expect(palette.getByRole("status")).toHaveText("Found some in My chats");
    await expect(palette.getByText(/^My chats › /).first()).toBeVisible();
    await expect(palette.getByRole("option", { name: "Search in My chats" })).toBeVisible();
    await palette.getByRole("combobox").fill("project:shop tallest");
    await expect(palette.getByText("No results for “project:shop tallest”")).toBeVisible();
    await palette.getByRole("combobox").fill("project:coffee tallest");
    await expect(palette.getByText("No project is called “coffee”.").first()).toBeVisible();
    await page.goto("/?search=tallest+tree");
    await expect(palette.getByRole("combobox")).toHaveValue("tallest tree");
    await expect(palette.getByText(/›/)).toHaveCount(0);
    await expect(page).toHaveURL("/");
  });
});
