import { randomInt } from "node:crypto";
import { type APIRequest, type APIRequestContext, expect, type Page } from "@playwright/test";
import type { NewInviteWire } from "@/lib/chat/wire/accounts";
import { newWord } from "./conversation";
import { test as base } from "./own-database";

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

interface People {
  /** The owner, who made the first account. */
  ada: Person;
}

interface Member {
  /** A member who is new in each story. */
  bob: Person;
}

/** Runs stories in a Grove with accounts. */
export const test = base.extend<Member, People>({
  hasAccounts: [true, { scope: "worker" }],
  // Each story comes from an address of its own: together they sign in more often than one address may.
  extraHTTPHeaders: ({ browserName: _ }, use) => use({ "X-Forwarded-For": newAddress() }),
  ada: [
    async ({ grove, playwright }, use) => {
      const ada = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
      await withRequests(playwright.request, { baseURL: grove.address }, (request) =>
        accept(request, firstLink(grove.log()), ada),
      );
      await use(ada);
    },
    { scope: "worker" },
  ],
  bob: async ({ grove, playwright, ada, extraHTTPHeaders }, use) => {
    const word = newWord();
    const bob = {
      name: `Bob ${word}`,
      email: `${word}@example.org`,
      password: "staple and more words",
    };
    const options = { baseURL: grove.address, ...(extraHTTPHeaders && { extraHTTPHeaders }) };
    const link = await withRequests(playwright.request, options, async (request) => {
      await enter(request, ada);
      const response = await request.post("/api/people/invites", { data: { role: "member" } });
      expect(response.status()).toBe(201);
      const invite: NewInviteWire = await response.json();
      return invite.link;
    });
    await withRequests(playwright.request, options, (request) => accept(request, link, bob));
    await use(bob);
  },
});

export function firstLink(log: string): string {
  const [link] = /http:\/\/localhost:\d+\/welcome#[\w-]+/.exec(log) ?? [];
  if (link === undefined) throw new Error("Grove printed no link to the first account.");
  return link;
}

/** Opens `path`, signed in without the page for it. */
export async function openAs(page: Page, person: Person, path = "/"): Promise<void> {
  await enter(page.request, person);
  await page.goto(path);
}

export function sidebar(page: Page) {
  return page.getByRole("complementary", { name: "Chats and search" });
}

/** Leaves first: a page that is signed out goes to the sign-in page, which would end the next step. */
export async function forgetCookies(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

export async function createAccount(page: Page, { name, email, password }: Person): Promise<void> {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  const address = page.getByRole("textbox", { name: "E-mail" });
  if (await address.isEditable()) await address.fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
}

export async function signIn(page: Page, person: Person, path = "/"): Promise<void> {
  await page.goto(path);
  await fillSignIn(page, person);
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

export async function fillSignIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function enter(request: APIRequestContext, { email, password }: Person): Promise<void> {
  const response = await request.post("/api/account/sign-in", { data: { email, password } });
  expect(response.status(), await response.text()).toBe(200);
}

async function accept(request: APIRequestContext, link: string, person: Person): Promise<void> {
  const secret = new URL(link).hash.slice(1);
  const response = await request.post("/api/account/accept", { data: { ...person, secret } });
  expect(response.status(), await response.text()).toBe(201);
}

function newAddress(): string {
  return `2001:db8:0:${randomInt(65_536).toString(16)}::1`;
}

async function withRequests<T>(
  requests: APIRequest,
  options: { baseURL: string; extraHTTPHeaders?: Record<string, string> },
  act: (request: APIRequestContext) => Promise<T>,
): Promise<T> {
  const request = await requests.newContext(options);
  return act(request).finally(() => request.dispose());
}
