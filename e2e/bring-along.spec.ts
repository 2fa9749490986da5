import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { makeSession, store } from "./support/api";
import { answered, composer, newWord, questions, say } from "./support/conversation";
import { openDrawer, openReceipt } from "./support/session-page";
import { test } from "./support/test";

test.describe("Bringing something along to another branch", () => {
  test("I go back in the tree, and take the model's summary of what I left with me", async ({
    page,
    request,
  }) => {
    const { word } = await journey(page, request);
    await chooseInTree(page, "By train");
    await expect(questions(page)).toHaveCount(1);
    await page.getByRole("button", { name: "Carry context over…" }).click();
    const dialog = page.getByRole("dialog", { name: "Carry context over" });
    await dialog.getByRole("button", { name: "Write it for me" }).click();
    const summary = dialog.getByRole("textbox", { name: "Summary" });
    await expect(summary).toHaveValue(new RegExp(word));
    await expectAccessible(page, "summary to bring along");
    await summary.fill(`The ${word} leaves at nine.`);
    await dialog.getByRole("button", { name: "Add note" }).click();

    await expect(notes(page)).toContainText(`The ${word} leaves at nine.`);
    await expect(notes(page)).toContainText("Carried over from another branch");
    await expect(page.getByRole("button", { name: "Carry context over…" })).toBeHidden();
    const tree = page.getByRole("tree", { name: "Messages" });
    await expect(tree.getByRole("treeitem", { name: /Carried over.*you are here/ })).toBeVisible();

    await composer(page).fill("");
    await say(page, "When do we leave?");
    await answered(page);
    const receipt = await openReceipt(page, page.getByRole("article", { name: /^Answer/ }));
    await expect(receipt).toContainText("Carried over from another branch");
  });

  test("stepping to another version offers what was left, without moving what I read", async ({
    page,
    request,
  }) => {
    await journey(page, request);
    const offer = page.getByText("You left “By train?”");
    const versions = (n: number) =>
      questions(page)
        .nth(1)
        .getByRole("group", { name: `Version ${n} of 2` });
    await versions(1).getByRole("button", { name: "Next version" }).click();
    await expect(questions(page).last()).toContainText("By boat");
    await expect(offer).toBeVisible();
    const place = () => questions(page).last().boundingBox();
    const before = await place();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect(offer).toBeHidden();
    expect(await place()).toEqual(before);

    // Back and forth: nothing is offered where I came from, and what I waved away comes back as something new only then.
    await versions(2).getByRole("button", { name: "Previous version" }).click();
    await expect(questions(page)).toHaveCount(3);
    await expect(offer).toBeHidden();
    await versions(1).getByRole("button", { name: "Next version" }).click();
    await expect(offer).toBeVisible();
    await say(page, "And then on foot?");
    await answered(page);
    await expect(offer).toBeHidden();
  });

  test("from the versions of a message and from a row of the tree, on a phone too", async ({
    page,
    request,
  }) => {
    const { word } = await journey(page, request);
    const versions = questions(page)
      .nth(1)
      .getByRole("group", { name: /^Version/ });
    await versions.getByRole("button", { name: "Next version" }).click();
    await expect(questions(page).last()).toContainText("By boat");
    await versions.getByRole("button", { name: /version menu/ }).click();
    await page.getByRole("menuitem", { name: /Carry context over/ }).click();
    const dialog = page.getByRole("dialog", { name: "Carry context over" });
    await dialog.getByRole("radio", { name: "Messages" }).click();
    await expect(dialog.getByRole("checkbox").last()).toHaveAccessibleName(new RegExp(word));
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole("button", { name: "Memory, context and tree" }).click();
    await page.getByRole("tab", { name: "Tree" }).click();
    const row = page.getByRole("treeitem", { name: /leaves at nine/ });
    await row.hover();
    await row.getByRole("button", { name: "Actions for this message" }).click();
    await page.getByRole("menuitem", { name: /Carry context over/ }).click();
    await dialog.getByRole("textbox", { name: "Summary" }).fill("The boat is slow.");
    await dialog.getByRole("button", { name: "Add note" }).click();
    await expect(notes(page)).toContainText("The boat is slow.");
    await expectAccessible(page, "a note on a phone");
  });
});

function notes(page: Page) {
  return page.getByRole("article", { name: /^Note/ });
}

async function chooseInTree(page: Page, name: string): Promise<void> {
  const panel = await openDrawer(page, "Tree");
  await panel.getByRole("treeitem", { name: new RegExp(`^You: ${name}`) }).click();
}

/** A start with two ways on: by train, which ends in a detail and is in view, and by boat. */
async function journey(page: Page, request: APIRequestContext) {
  const word = newWord();
  const sessionId = await makeSession(request, "To the sea");
  const { entry } = await store(request, sessionId, "We go to the sea");
  const parentId = entry.message.id;
  await store(request, sessionId, "By train?", { id: crypto.randomUUID(), parentId });
  const detail = await store(request, sessionId, `The ${word} leaves at nine`);
  await store(request, sessionId, "By boat?", { id: crypto.randomUUID(), parentId });
  await page.request.patch(`/api/sessions/${sessionId}`, {
    data: { activeLeafId: detail.entry.message.id },
  });
  await page.goto(`/s/${sessionId}`);
  await expect(questions(page)).toHaveCount(3);
  return { sessionId, word };
}
