import OpenAI from "openai";
import { describe, expect } from "vitest";
import type { SessionPageWire } from "@/lib/chat/wire/sessions";
import { expectAccessible } from "./testing/accessible";
import { answered, answers, questions } from "./testing/conversation";
import { siteAddress } from "./testing/page-environment";
import { secretOf } from "./testing/programs-page";
import { programFetch } from "./testing/server";
import { ask, openDrawer, openPalette } from "./testing/session-page";
import { test } from "./testing/test";

describe("Programs", () => {
  test("I watch one's answer as it is written and go on from it, while it goes on where it was", {
    tags: "long",
  }, async ({ page }) => {
    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.getByRole("textbox", { name: "Name" }).fill("Writer");
    const apiKey = await secretOf(page, "Writer");
    const openai = openaiOf(apiKey);
    // Longer than a slow machine needs to open its chat.
    const input = "Forests in autumn, a walk without end";
    const asked = await openai.responses.create({ input, background: true });
    const programs = page.getByRole("region", { name: "Programs" });
    await programs.getByRole("button", { name: "Programs" }).click();
    await programs.getByRole("button", { name: "Writer" }).click();
    await programs.getByRole("link", { name: /Forests in autumn/ }).click();
    await expect(page.getByRole("link", { name: /Forests in autumn/ })).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Stop writing" })).toBeVisible();
    const events = await openai.responses.retrieve(asked.id, { stream: true, starting_after: 3 });
    for await (const { sequence_number: number } of events) {
      expect(number).toBe(4);
      break;
    }
    expect(await openai.responses.cancel(asked.id)).toMatchObject({ status: "cancelled" });
    await answered(page);
    await ask(page, "A person adds this");

    const next = await openai.responses.create({ previous_response_id: asked.id, input: "On" });
    const { data } = await openai.responses.inputItems.list(next.id);
    expect(data).toMatchObject([{ role: "user", content: [{ text: "On" }] }]);
    await expect(questions(page).last()).toContainText("A person adds this");
    await page.getByRole("button", { name: "Next version" }).click();
    await expect(questions(page).last()).toContainText("On");
  });

  test("I read the calls of one as a line, open them, and find them so in the tree", async ({
    page,
    request,
  }) => {
    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.getByRole("textbox", { name: "Name" }).fill("Agent");
    const openai = openaiOf(await secretOf(page, "Agent"));
    const calls = ["npm test", "npm run lint", "git status"].flatMap((command, at) => [
      {
        role: "assistant" as const,
        content: at === 0 ? "Let me look." : null,
        tool_calls: [
          {
            id: `call_${at}`,
            type: "function" as const,
            function: { name: "bash", arguments: JSON.stringify({ command }) },
          },
        ],
      },
      { role: "tool" as const, tool_call_id: `call_${at}`, content: `done ${at}` },
    ]);
    const reminder = "<system-reminder>Use the tools of this folder.</system-reminder>";
    const first = { role: "user" as const, content: `${reminder}\nPlease mend the tests` };
    const system = { role: "system" as const, content: "You mend tests of other people." };
    const messages = [system, first, ...calls, { role: "user" as const, content: "Thank you" }];
    const model = (await openai.models.list()).data[0]?.id ?? "";
    await openai.chat.completions.create({ model, messages });
    const { sessions } = await (await request.get("/api/sessions")).json<SessionPageWire>();
    await page.goto(`/s/${sessions[0]?.id}`);
    const programs = page.getByRole("region", { name: "Programs" });
    const hint = programs.getByText("Chats that programs began are kept here");
    await expect(hint).toBeVisible();
    await programs.getByRole("button", { name: "Dismiss" }).click();
    await expect(hint).toBeHidden();
    const asked = questions(page).first();
    await expect(asked).toContainText("Please mend the tests");
    await expect(asked).not.toContainText("Use the tools");
    await asked.getByText("system-reminder").click();
    await expect(asked).toContainText("Use the tools of this folder.");
    const answer = answers(page).first();
    await expect(answer).toContainText("Let me look.");
    await expect(answers(page)).toHaveCount(2);
    await expect(answer.getByText("npm test")).toBeHidden();
    await answer.getByText("3 calls").click();
    await expect(answer).toContainText("bash npm test");
    await expectAccessible(page, "calls of a program");
    await answer.getByText("git status").click();
    await expect(answer.getByText("Output")).toBeVisible();

    const context = await openDrawer(page, "Context");
    await expect(context.getByRole("heading", { name: "Last request" })).toBeVisible();
    await expect(context).toContainText(/\d messages, .* tokens/);
    await expect(context).toContainText("You mend tests of other people.");

    await openDrawer(page, "Tree");
    const tree = page.getByRole("tree", { name: "Messages" });
    await expect(tree.getByRole("treeitem", { name: /^Tool calls, 5 rows/ })).toBeVisible();
    await expect(tree.getByRole("treeitem", { name: "You: Please mend the tests" })).toBeVisible();
    await expect(tree.getByRole("treeitem")).toHaveCount(5);

    await openPalette(page);
    const search = page.getByRole("combobox", { name: "Search and commands" });
    await search.fill("program:agen mend");
    await expect(page.getByRole("option", { name: /^You / })).toContainText(
      "Please mend the tests",
    );
    await search.fill("program:nobody mend");
    await expect(page.getByText("No program called “nobody” has chats.")).toBeVisible();
  });

  test("I give a program a part of my memory, and see which", { tags: "long" }, async ({
    page,
  }) => {
    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.getByRole("textbox", { name: "Name" }).fill("Diary");
    await expect(form.getByRole("group", { name: "Which memory" })).toBeHidden();
    await form.getByRole("switch", { name: "Use my memory and Grove's tools" }).click();
    const which = form.getByRole("group", { name: "Which memory" });
    await which.getByRole("switch", { name: "All of it" }).click();
    await form.getByRole("button", { name: "Create" }).click();
    await expect(form.getByRole("alert")).toHaveText(/Choose a part of your memory/);
    await which.getByRole("switch", { name: "knowledge" }).click();
    await expectAccessible(page, "a key for a part of memory");
    const apiKey = await secretOf(page, "Diary");
    await expect(page.getByText("Uses part of memory")).toBeVisible();
    await expect(page.getByText("memory: knowledge")).toBeVisible();
    const openai = openaiOf(apiKey);
    const response = await openai.responses.create({ input: "Which birds do I like?" });
    expect(response.output_text).toContain("Which birds do I like?");
  });
});

function openaiOf(apiKey: string): OpenAI {
  return new OpenAI({
    ...{ apiKey, baseURL: `${siteAddress}/v1`, fetch: programFetch, maxRetries: 0 },
    // A story has the globals of a page.
    dangerouslyAllowBrowser: true,
  });
}
