import { expect } from "vitest";
import { startStatefulServer } from "@/lib/chat/mcp-client/testing/stateful-server";
import { answers } from "./testing/conversation";
import { ask, askFirst } from "./testing/session-page";
import { test } from "./testing/test";

test("A server keeps its place while I approve, until I delete the chat", async ({
  page,
  request,
}) => {
  const browser = await startStatefulServer();
  await request.put("/api/tools/servers/browser", {
    data: { name: "Browser", url: browser.url },
  });
  await askFirst(page, "Call weather with Rome");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(answers(page).last()).toContainText("Rome is call 1 of this session");
  await ask(page, "Call weather with Oslo");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(answers(page).last()).toContainText("Oslo is call 2 of this session");
  const sessionId = new URL(page.url()).pathname.split("/").at(-1);
  await request.delete(`/api/sessions/${sessionId}?deletionId=${crypto.randomUUID()}`);
  expect((await browser.ended(2)).toSorted()).toEqual(browser.begun.toSorted());
  await browser.close();
});
