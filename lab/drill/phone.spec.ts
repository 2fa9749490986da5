import type { Browser, Page } from "playwright";
import { expect, test } from "vitest";
import { withBrowser } from "@/lab/browser";
import { freePort, withGrove } from "@/lib/commands/testing/grove-process";
import { hasNginx, hasOpenssl, withNginx } from "./nginx";

// On the built app, as from a phone: `npm run test:drills`, after `npm run build`.
const name = "grove.test";
const password = "correct horse battery";
const email = "ada@example.org";
const patienceMs = 60_000;

test.skipIf(!hasNginx || !hasOpenssl)(
  "a phone makes an account over https behind a proxy, reads an answer as it is written, and signs out",
  async () => {
    const port = await freePort();
    const origin = `https://${name}:${port}`;
    await withGrove(
      (grove) =>
        withNginx({ port, to: grove.address, name }, () =>
          withBrowser(
            async (browser) => {
              const phone = await browser.newContext({
                viewport: { width: 390, height: 844 },
                hasTouch: true,
                isMobile: true,
                ignoreHTTPSErrors: true,
                serviceWorkers: "block",
              });
              phone.setDefaultTimeout(patienceMs);
              const page = await phone.newPage();
              await expect.poll(grove.printed).toContain(`${origin}/welcome#`);
              await joinBy(page, linkIn(grove.printed(), origin));
              const cookies = await phone.cookies();
              expect(cookies).toContainEqual(
                expect.objectContaining({
                  name: "__Host-grove.session_token",
                  secure: true,
                  httpOnly: true,
                  sameSite: "Lax",
                }),
              );
              await readsAsWritten(page);
              await signOutAndIn(page, origin);
              await waitsForScripts(browser, origin);
            },
            { resolves: [name] },
          ),
        ),
      { GROVE_ORIGIN: origin, GROVE_TRUSTED_PROXIES: "1", GROVE_DEMO_DELAY_MS: "60" },
    );
  },
  300_000,
);

function linkIn(printed: string, origin: string): string {
  const start = printed.indexOf(`${origin}/welcome#`);
  return /^\S+\/welcome#[\w-]+/.exec(printed.slice(start))?.[0] ?? "";
}

async function joinBy(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("textbox", { name: "Name" }).fill("Ada");
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Create account" }).tap();
  await composer(page).waitFor();
}

function composer(page: Page) {
  return page.getByRole("textbox", { name: "Message", exact: true });
}

/** A proxy that buffers would show the answer at once, at its end. */
async function readsAsWritten(page: Page): Promise<void> {
  await composer(page).fill("Tell me about gardens, at length.");
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  const answer = page.getByRole("article", { name: /^Answer/ }).last();
  await answer.waitFor();
  const lengths = new Set<number>();
  const isWriting = () => page.getByRole("button", { name: "Stop writing" }).isVisible();
  await expect.poll(isWriting).toBe(true);
  while (await isWriting()) {
    lengths.add((await answer.innerText()).length);
    await page.waitForTimeout(50);
  }
  expect(lengths.size).toBeGreaterThan(5);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

async function signOutAndIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/settings?section=account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).tap();
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  expect(await page.evaluate(async () => (await fetch("/api/sessions")).status)).toBe(401);
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).tap();
  await page.waitForURL((url) => url.pathname !== "/sign-in", { waitUntil: "commit" });
  await page.goto(origin);
  await composer(page).waitFor();
  await page.getByRole("button", { name: "Chats and search" }).tap();
  await page
    .getByRole("link", { name: /garden/i })
    .first()
    .waitFor();
}

/** Submitted by the browser itself, the form would forget what was typed. */
async function waitsForScripts(browser: Browser, origin: string): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${origin}/sign-in`);
  const button = page.getByRole("button", { name: "Sign in", exact: true });
  expect(await button.isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("textbox", { name: "Password" }).press("Enter");
  expect(await page.getByRole("textbox", { name: "E-mail" }).inputValue()).toBe(email);
  expect(page.url()).toBe(`${origin}/sign-in`);
  await context.close();
}
