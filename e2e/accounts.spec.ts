import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import { connect } from "grove-session/postgres";
import { expectAccessible } from "./support/accessible";
import { makeSession, store } from "./support/api";
import { answers, composer, converse, newWord, questions, say } from "./support/conversation";
import {
  createAccount,
  fillSignIn,
  forgetCookies,
  openAs,
  sidebar,
  signIn,
  test,
} from "./support/people";

// One Grove for the file: another would start in each worker that takes one of its stories.
test.describe.configure({ mode: "default" });

test("a wrong password says so, and the right one opens what I came for", {
  tag: "@essential",
}, async ({ page, ada }) => {
  await page.goto("/settings?section=account");
  await expect(page.getByText("Forgot your password?")).toBeVisible();
  await expectAccessible(page, "sign-in");
  await fillSignIn(page, { ...ada, password: "not the password" });
  await expect(page.getByText("The e-mail address or the password is wrong.")).toBeVisible();
  await fillSignIn(page, ada);
  await expect(page.getByRole("heading", { name: "Account", exact: true })).toBeVisible();
  await expect(page.getByText("This device")).toBeVisible();
  await expectAccessible(page, "account");
  await page.getByRole("button", { name: /: settings and usage$/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await page.goto("/settings?section=account");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a download that I follow while signed out leads to sign in, and then to its page", async ({
  page,
  bob,
}) => {
  await openAs(page, bob, "about:blank");
  const sessionId = await makeSession(page.request, "A chat to keep");
  await store(page.request, sessionId, "A thought to keep");
  await forgetCookies(page);
  await page.goto(`/api/sessions/${sessionId}/export?as=json`);
  await expect(page).toHaveURL(new RegExp(`/sign-in\\?next=%2Fs%2F${sessionId}$`));
  await fillSignIn(page, bob);
  await expect(page.getByText("A thought to keep")).toBeVisible();
  await forgetCookies(page);
  await page.goto("/api/export");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fsettings%3Fsection%3Ddata$/);
});

test("somebody I invite sees neither my chats nor the administration", async ({
  page,
  browser,
  baseURL,
  ada,
}) => {
  const word = newWord();
  const cleo = { name: "Cleo", email: `${word}@example.org`, password: "yet another set of words" };
  await signIn(page, ada, "/settings?section=people");
  const sessionId = await makeSession(page.request, `Of Ada's ${word}`);
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "E-mail" }).fill(cleo.email);
  await dialog.getByRole("button", { name: "Make link" }).click();
  const link = await dialog.getByText(/\/welcome#/).innerText();
  await expectAccessible(page, "invite");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(
    page.getByRole("button", { name: `Withdraw the invite for ${cleo.email}` }),
  ).toBeVisible();
  await expectAccessible(page, "people");

  const other = await another(browser, baseURL);
  await other.goto(link);
  await expect(other.getByRole("textbox", { name: "E-mail" })).toHaveValue(cleo.email);
  await createAccount(other, cleo);
  await expect(composer(other)).toBeVisible();
  await expect(sidebar(other).getByText(word)).toBeHidden();
  expect((await other.goto(`/s/${sessionId}`))?.status()).toBe(404);
  await other.goto("/settings?section=people");
  await expect(other.getByRole("heading", { name: "General" })).toBeVisible();
  await expect(other.getByRole("link", { name: "Account" })).toBeVisible();
  await expect(other.getByRole("link", { name: "People" })).toBeHidden();
  expect((await other.request.get("/api/people")).status()).toBe(403);
  await page.reload();
  await expect(page.getByText(cleo.email).first()).toBeVisible();
  await other.context().close();
});

test("what I leave unsent in a browser is not the next person's, and is mine when I am back", async ({
  page,
  context,
  ada,
  bob,
}) => {
  await openAs(page, bob);
  const sessionId = await converse(page, "A question of Bob's");
  await page.goto("/");
  await composer(page).fill("A draft of Bob's");
  await page.goto(`/s/${sessionId}`);
  await expect(answers(page)).toHaveCount(1);
  await context.setOffline(true);
  await say(page, "Unsent words of Bob's");
  await expect(page.getByText("Can't reach Grove").first()).toBeVisible();
  await page.goto("about:blank");
  await context.clearCookies();
  await context.setOffline(false);

  await signIn(page, ada, "/sign-in");
  await expect(composer(page)).toHaveValue("");
  await expect(sidebar(page).getByText("Example: a balcony garden")).toBeVisible();
  await expect(page.getByText(/of Bob's/)).toHaveCount(0);
  expect(await (await page.request.get("/api/sessions")).text()).not.toContain("of Bob's");
  await page.goto("/settings?section=account");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();

  await page.waitForURL(/\/sign-in/);
  await signIn(page, bob, "/sign-in");
  await expect(composer(page)).toHaveValue("A draft of Bob's");
  await sidebar(page).getByText("A question of Bob's").click();
  await expect(questions(page).last()).toContainText("Unsent words of Bob's");
  await expect(answers(page)).toHaveCount(2);
});

test("what I send after I was signed out waits for me, is sent once, and is nobody else's", async ({
  page,
  context,
  databaseUrl,
  ada,
  bob,
}) => {
  const words = `Words for later ${newWord()}`;
  await openAs(page, bob);
  const sessionId = await converse(page, "A chat that goes on");
  await composer(page).fill(words);
  const sql = connect(databaseUrl, { max: 1 });
  await sql`delete from account_session`;
  await expect(page.getByText("You are signed out. What you typed stays here")).toBeVisible();
  await composer(page).press("Enter");
  const link = page.getByRole("link", { name: "Sign in to send it" });
  await expect(link).toHaveAttribute("href", `/sign-in?next=%2Fs%2F${sessionId}`);
  await expectAccessible(page, "signed out");

  const other = await context.newPage();
  await openAs(other, ada);
  await expect(other.getByText(words)).toHaveCount(0);
  await expect(page.getByText("Somebody else is signed in here now.")).toBeVisible();
  await other.goto("about:blank");
  await context.clearCookies();
  await expect(link).toBeVisible();
  await link.click();
  await fillSignIn(page, bob);
  await expect(page).toHaveURL(new RegExp(`/s/${sessionId}`));
  await expect(answers(page)).toHaveCount(2);
  await expect(questions(page).last()).toContainText(words);
  const stored = await sql`
    select from chat_message where role = 'user' and content like ${`%${words}%`}`;
  await sql.end();
  expect(stored).toHaveLength(1);
});

test("a code from my app is asked for after the password, and a recovery code works once", async ({
  page,
  bob,
}) => {
  await openAs(page, bob, "/settings?section=account");
  await page.getByRole("button", { name: "Turn on" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Password" }).fill(bob.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const key = await dialog.locator("code").innerText();
  const [recovery = ""] = (await dialog.locator("pre").innerText()).split("\n");
  await expectAccessible(page, "two-factor");
  await dialog.getByRole("textbox", { name: "Code from the app" }).fill("000000");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByText(/^The code is wrong/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Code from the app" }).fill(codeOf(key));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Two-factor sign-in On")).toBeVisible();

  for (const { label, code } of [
    { label: "Code", code: codeOf(key, Date.now() + 30_000) },
    { label: "Recovery code", code: recovery },
  ]) {
    await forgetCookies(page);
    await page.goto("/sign-in");
    await fillSignIn(page, bob);
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
    if (label !== "Code") await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByRole("textbox", { name: label }).fill(code);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(composer(page)).toBeVisible();
  }
  await page.goto("/settings?section=account");
  await page.getByRole("button", { name: "Turn off" }).click();
  await dialog.getByRole("textbox", { name: "Password" }).fill(bob.password);
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("button", { name: "Turn on" })).toBeVisible();
});

test("a device I sign out is at the sign-in page at once", async ({
  page,
  browser,
  baseURL,
  bob,
}) => {
  const other = await another(browser, baseURL);
  await openAs(other, bob);
  await expect(composer(other)).toBeVisible();
  await openAs(page, bob, "/settings?section=account");
  await page.getByRole("button", { name: "Sign out all others" }).click();
  await expect(page.getByRole("button", { name: "Sign out all others" })).toBeHidden();
  await expect(other.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await expect(page.getByText("This device")).toBeVisible();
  await other.context().close();
});

test("a passkey asks for my password when my sign-in was a while ago, then signs me in", async ({
  page,
  databaseUrl,
  bob,
}) => {
  const wire = await page.context().newCDPSession(page);
  await wire.send("WebAuthn.enable");
  await wire.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await openAs(page, bob, "/settings?section=account");
  const sql = connect(databaseUrl, { max: 1 });
  await sql`
    update account_session set created_at = now() - interval '1 hour', confirmed_at = null
    where user_id = (select id from account_user where email = ${bob.email})`;
  await sql.end();
  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it's you" });
  await dialog.getByRole("textbox", { name: "Password" }).fill("not the password");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expectAccessible(page, "confirm");
  await dialog.getByRole("textbox", { name: "Password" }).fill(bob.password);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("button", { name: /^Remove Chrome on/ })).toBeVisible();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(composer(page)).toBeVisible();
});

test("who forgot a password gets a link by a command, and signs in with a new one", async ({
  page,
  baseURL,
  databaseUrl,
  bob,
}) => {
  const command = ["--import", "tsx", "lib/commands/account-link.ts", bob.email];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: { ...process.env, DATABASE_URL: databaseUrl, GROVE_ORIGIN: baseURL },
  });
  await page.goto(/http:\S+\/welcome#[\w-]+/.exec(stdout)?.[0] ?? stdout);
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue(bob.email);
  const password = "one more set of words";
  await page.getByRole("textbox", { name: "New password" }).fill(password);
  await expectAccessible(page, "new password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(composer(page)).toBeVisible();
  await forgetCookies(page);
  await signIn(page, { ...bob, password });
  await expect(composer(page)).toBeVisible();
});

test("an administrator makes the same link in the page, and the log says so", async ({
  page,
  ada,
  bob,
}) => {
  await openAs(page, ada, "/settings?section=people");
  await page.getByRole("button", { name: `Password link for ${bob.name}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Anyone who opens the link gets into the account");
  await expectAccessible(page, "password link");
  await dialog.getByRole("button", { name: "Make link" }).click();
  const link = await dialog.locator("code").innerText();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Made a password link").first()).toBeVisible();
  await forgetCookies(page);
  await page.goto(link);
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue(bob.email);
});

test("a file that I looked at is not in this browser for the next person", async ({
  page,
  ada,
  bob,
}) => {
  await openAs(page, bob);
  const picture = fileURLToPath(new URL("fixtures/files/leaf.png", import.meta.url));
  await expect(page.getByRole("button", { name: /^Model:/ })).toBeVisible();
  await page.getByLabel("Attach files").and(page.locator("input")).setInputFiles(picture);
  await expect(page.getByRole("list", { name: "Attached files" })).toContainText("64 × 48");
  await say(page, "Which tree is this?");
  const shown = questions(page).getByRole("img", { name: "leaf.png" });
  const address = await shown.evaluate((image: HTMLImageElement) => image.src);
  const statusFromCache = () =>
    page.evaluate(
      async (file) => (await fetch(file, { cache: "force-cache" }).catch(() => null))?.status,
      address,
    );
  expect(await statusFromCache()).toBe(200);
  await page.goto("/settings?section=account");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL(/\/sign-in/);
  await signIn(page, ada, "/sign-in");
  await expect(composer(page)).toBeVisible();
  expect(await statusFromCache()).toBe(404);
});

test("an invite that has expired says so", async ({ page, databaseUrl, ada }) => {
  await openAs(page, ada, "/settings?section=people");
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make link" }).click();
  const link = await page
    .getByRole("dialog")
    .getByText(/\/welcome#/)
    .innerText();
  const sql = connect(databaseUrl, { max: 1 });
  await sql`update account_invite set expires_at = now() where used_at is null`;
  await sql.end();
  await forgetCookies(page);
  await page.goto(link);
  await expect(page.getByText(/^This link was used, withdrawn, or is too old/)).toBeVisible();
});

test("an administrator decides for everyone on a page, and the log says so", async ({
  page,
  ada,
}) => {
  await openAs(page, ada, "/settings?section=everyone");
  await expectAccessible(page, "for everyone");
  await page.getByRole("button", { name: "Change: Largest file" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Largest file, MB" }).fill("none");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("This must be a number");
  await dialog.getByRole("textbox", { name: "Largest file, MB" }).fill("30");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("30 MB")).toBeVisible();
  await page.goto("/settings?section=people");
  await expect(page.getByText("Changed settings for everyone").first()).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-max-file-bytes", "30000000");
  await page.goto("/settings?section=everyone");
  await page.getByRole("button", { name: "Use default: Largest file" }).click();
  await expect(page.getByText("25 MB")).toBeVisible();
});

test("changing my password signs my other device out, and only the new one works", async ({
  page,
  browser,
  baseURL,
  bob,
}) => {
  const other = await another(browser, baseURL);
  await openAs(other, bob);
  await expect(composer(other)).toBeVisible();
  await openAs(page, bob, "/settings?section=account");
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const next = "another set of words";
  await dialog.getByRole("textbox", { name: "Present password" }).fill(bob.password);
  await dialog.getByRole("textbox", { name: "New password" }).fill(next);
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(dialog).toBeHidden();
  await expect(other.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await fillSignIn(other, bob);
  await expect(other.getByText("The e-mail address or the password is wrong.")).toBeVisible();
  await fillSignIn(other, { ...bob, password: next });
  await expect(composer(other)).toBeVisible();
  await other.context().close();
});

test("somebody I invite to my project reads it, until I remove them", async ({
  page,
  browser,
  baseURL,
  ada,
  bob,
}) => {
  const id = `p-${crypto.randomUUID()}`;
  await openAs(page, ada, "about:blank");
  const made = await page.request.post("/api/projects", { data: { id, name: "Tea shop" } });
  expect(made.status()).toBe(201);
  const sessionId = await makeSession(page.request, "Teas", `/p/${id}`);
  const question = {
    parts: [{ type: "text", text: "Which teas shall we sell?" }],
    generate: false,
  };
  await page.request.post(`/p/${id}/api/sessions/${sessionId}/messages`, {
    data: { ...question, id: crypto.randomUUID() },
  });
  const note = { title: "Suppliers", description: "Who sells us tea", content: "Two farms." };
  const written = await page.request.post(`/p/${id}/api/blocks/knowledge/entries`, { data: note });
  expect(written.ok(), await written.text()).toBe(true);
  await page.goto(`/p/${id}`);
  await page.getByRole("button", { name: "People" }).click();
  await page.getByRole("button", { name: "Make a link" }).click();
  const dialog = page.getByRole("dialog", { name: "People" });
  await expect(dialog.getByRole("list", { name: "Links" })).toBeVisible();
  await expectAccessible(page, "people of a project");
  const link = await dialog.getByText(/\/join\//).innerText();

  const other = await another(browser, baseURL);
  await openAs(other, bob, new URL(link).pathname);
  await expectAccessible(other, "invitation");
  await other.getByRole("button", { name: "Join" }).click();
  await other.getByRole("link", { name: "Teas" }).first().click();
  await expect(other.getByText("Which teas shall we sell?").first()).toBeVisible();
  await expect(other.getByText("You can read this project.")).toBeVisible();
  await expect(composer(other)).toHaveCount(0);
  await expectAccessible(other, "a chat to read");
  await other.goto(`/p/${id}/settings?section=knowledge`);
  await other.getByRole("button", { name: "Suppliers" }).click();
  await expect(other.getByRole("dialog", { name: "Suppliers" })).toBeVisible();
  await expectAccessible(other, "an entry to read");
  await other.goto(`/p/${id}/s/${sessionId}`);
  await expect(other.getByText("Which teas shall we sell?").first()).toBeVisible();

  await page.reload();
  await page.getByRole("button", { name: /^People/ }).click();
  await dialog.getByRole("button", { name: `Remove ${bob.name}` }).click();
  await expect(other).toHaveURL((url) => url.pathname === "/");
  expect((await other.request.get(`/p/${id}/api/sessions/${sessionId}`)).status()).toBe(404);
});

test("roles and limits that an administrator changes hold at once, and the log tells of them", async ({
  page,
  browser,
  baseURL,
  ada,
  bob,
}) => {
  const other = await another(browser, baseURL);
  await openAs(other, bob);
  await openAs(page, ada, "/settings?section=people");
  const bobs = (name: string) =>
    page.getByRole("button", { name: `${name} ${bob.name}`, exact: true });
  await bobs("Make admin:").click();
  await expect(bobs("Make member:")).toBeVisible();
  expect((await other.request.get("/api/people")).status()).toBe(200);
  await bobs("Make member:").click();
  await expect(bobs("Make admin:")).toBeVisible();
  expect((await other.request.get("/api/people")).status()).toBe(403);

  await bobs("Limits for").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("switch", { name: "Own limits" }).click();
  await dialog.getByRole("spinbutton", { name: "Messages a day" }).fill("0");
  await expectAccessible(page, "limits");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("0 messages a day")).toBeVisible();
  await other.goto("/");
  await say(other, "One too many");
  await expect(other.getByText(/Not sent. You have sent your 0 messages of today/)).toContainText(
    "Ask Ada for more.",
  );
  const settings = await other.context().newPage();
  await settings.goto("/settings?section=account");
  await expect(settings.getByText("0 of 0 messages left today")).toBeVisible();
  await bobs("Limits for").click();
  await dialog.getByRole("switch", { name: "Own limits" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("0 messages a day")).toBeHidden();
  await other.getByRole("button", { name: "Retry" }).click();
  await expect(answers(other)).toHaveCount(1);
  await expect(page.getByText("Changed a role: admin").first()).toBeVisible();
  await expect(page.getByText("Changed limits").first()).toBeVisible();
  await other.context().close();
});

test("somebody who was removed can take everything along, and is back once restored", async ({
  page,
  browser,
  baseURL,
  ada,
  bob,
}) => {
  const other = await another(browser, baseURL);
  await openAs(other, bob);
  await openAs(page, ada, "/settings?section=people");
  await page.getByRole("button", { name: `Remove ${bob.name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText(new RegExp(`${bob.email}.* deleted on`))).toBeVisible();
  await expect(other.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await fillSignIn(other, bob);
  await expect(other.getByRole("heading", { name: "Your account was removed" })).toBeVisible();
  await expectAccessible(other, "removed");
  const downloading = other.waitForEvent("download");
  await other.getByRole("link", { name: "Download everything" }).click();
  await downloading;
  await other.goto("/settings");
  await expect(other).toHaveURL(/\/removed$/);
  await page.getByRole("button", { name: `Restore ${bob.name}` }).click();
  await expect(page.getByRole("button", { name: `Remove ${bob.name}` })).toBeVisible();
  await other.goto("/");
  await expect(composer(other)).toBeVisible();
  await other.context().close();
});

test("I delete my account after I downloaded everything", async ({ page, bob }) => {
  await openAs(page, bob);
  await page.getByRole("button", { name: "New project" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Tea shop");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/p\/p-[^/]+$/);
  await page.goto(`${page.url()}/settings?section=account`);
  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Delete account" })).toBeDisabled();
  await expectAccessible(page, "delete account");
  const ofProject = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download “Tea shop”" }).click();
  await (await ofProject).path();
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("link", { name: /Download everything/ }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.jsonl$/);
  await dialog.getByRole("textbox").fill(bob.email);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await fillSignIn(page, bob);
  await expect(page.getByText("The e-mail address or the password is wrong.")).toBeVisible();
});

async function another(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context: BrowserContext = await browser.newContext(baseURL ? { baseURL } : {});
  return context.newPage();
}

/** The code at a time for a key in base32. @see https://www.rfc-editor.org/rfc/rfc6238 */
function codeOf(key: string, timeMs = Date.now()): string {
  const bits = [...key.toUpperCase()].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(timeMs / 30_000)));
  const secret = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, "0");
}
