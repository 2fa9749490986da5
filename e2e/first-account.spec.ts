import { expect } from "@playwright/test";
import { connect, PostgresSessionStore } from "grove-session/postgres";
import { user } from "grove-session/testing";
import { expectAccessible } from "./support/accessible";
import { composer } from "./support/conversation";
import { test } from "./support/own-database";
import { createAccount, firstLink, forgetCookies, sidebar } from "./support/people";

test.use({ hasAccounts: true });

test("the link in the log makes the first account, which takes over what was here before", {
  tag: "@essential",
}, async ({ page, grove, databaseUrl }) => {
  const sql = connect(databaseUrl, { max: 1 });
  const local = new PostgresSessionStore(sql, "local");
  await local.sessions.create("Written before accounts", { id: "before" });
  await local.messages("before").appendMessage(user("m", "An early thought"));
  await sql.end();

  await page.goto("/s/before");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fs%2Fbefore$/);
  const ada = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
  const link = firstLink(grove.log());
  await page.goto(link);
  await expect(
    page.getByRole("heading", { name: "Create the administrator account" }),
  ).toBeVisible();
  await expect(page.getByText(/^1 chat and 0 memory texts/)).toBeVisible();
  await expectAccessible(page, "welcome");
  await createAccount(page, { ...ada, password: "short" });
  await expect(page.getByText("A password needs at least 10 characters.")).toBeVisible();
  await createAccount(page, ada);
  await expect(composer(page)).toBeVisible();
  await sidebar(page).getByText("Written before accounts").click();
  await expect(page.getByText("An early thought")).toBeVisible();

  await forgetCookies(page);
  await page.goto(link);
  await expect(page.getByText(/^This link was used/)).toBeVisible();
});
