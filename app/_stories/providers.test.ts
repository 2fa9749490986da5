import type { LLMock } from "@copilotkit/aimock";
import { describe, expect } from "vitest";
import { greeting, questions, startModelServer } from "@/e2e/support/model-server";
import type { ProviderKind } from "@/lib/chat/wire/settings";
import { offerProvider } from "./testing/api";
import { answers, say } from "./testing/conversation";
import { ask, askFirst, openDrawer, openReceipt } from "./testing/session-page";
import {
  addProvider,
  chooseDefaultModel,
  type ProviderInput,
  removeProvider,
} from "./testing/settings-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

interface Wire {
  name: string;
  kind: ProviderKind;
  label: ProviderInput["kind"];
  model: string;
  /** Its name in lists. */
  shown: RegExp;
  path: string;
  /** Dollars for 2,000 tokens in and 500 out. */
  cost: RegExp;
}

const wires: readonly Wire[] = [
  {
    name: "OpenAI responses",
    kind: "openai",
    label: "OpenAI",
    model: "gpt-5-mini",
    shown: /GPT-5 mini/i,
    path: "/v1/responses",
    cost: /^\$0\.\d+$/,
  },
  {
    name: "OpenAI-compatible chat",
    kind: "compatible",
    label: "OpenAI-compatible",
    model: "house-model",
    shown: /house-model/,
    path: "/v1/chat/completions",
    cost: /^unknown$/,
  },
  {
    name: "Anthropic messages",
    kind: "anthropic",
    label: "Anthropic",
    model: "claude-haiku-4-5",
    shown: /Haiku 4\.5/,
    path: "/v1/messages",
    cost: /^\$0\.\d+$/,
  },
];

const key = "sk-end-to-end-1234567890-WXYZ";

for (const wire of wires) {
  describe(`A provider over ${wire.name}`, () => {
    let server: LLMock;

    test.beforeEach(async () => {
      server = await startModelServer({ models: [wire.model] });
    });
    test.afterEach(() => server.stop());

    test("I have a conversation, and see what it used", async ({ page }) => {
      const baseUrl = `${server.url}/v1`;
      await addProvider(page, { kind: wire.label, baseUrl, key, name: "My server" });
      await chooseDefaultModel(page, wire.shown);
      const leaks = watchForKey(page);
      const first = await askFirst(page, questions.greeting);
      await expect(first).toContainText(greeting);

      const second = await ask(page, questions.remembering);
      await expect(second).toContainText("I noted the kettle.");
      const writes = second.getByRole("list", { name: "Memory changes" });
      await expect(writes).toContainText("Wrote 1 line to Tasks");
      const memory = await openDrawer(page, "Memory");
      await expect(memory.getByRole("article", { name: "Tasks" })).toContainText(
        "Keep the blue kettle",
      );

      const receipt = await openReceipt(page, first);
      const facts = receipt.getByRole("definition");
      await expect(facts.nth(0)).toContainText(wire.shown);
      await expect(facts.nth(1)).toHaveText("2,000 tokens");
      await expect(facts.nth(2)).toHaveText("500 tokens");
      await expect(facts.nth(3)).toHaveText(wire.cost);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("heading", { level: 1 })).toContainText(
        "A conversation over HTTP",
      );

      const paths = server.getRequests().map(({ path }) => path);
      expect(new Set(paths)).toContain(wire.path);
      expect(await leaks()).toEqual([]);
    });

    test("I am told what went wrong, and can ask again", { tags: "long" }, async ({
      page,
      request,
    }) => {
      const { kind, model } = wire;
      await offerProvider(request, { baseUrl: `${server.url}/v1`, kind, model });
      const failures = [
        [questions.wrongKey, "The provider rejected the API key."],
        [questions.tooOften, "The provider is rate limiting this key."],
        [questions.tooLong, "This message does not fit"],
        [questions.cut, "Connection lost."],
      ] as const;
      for (const [question, sentence] of failures) {
        const answer = await askFirst(page, question);
        await expect(answer.getByRole("alert"), question).toContainText(sentence);
        await expect(answer.getByRole("button", { name: "Retry" }), question).toBeVisible();
        if (question !== questions.wrongKey) continue;
        await answer.getByText("Details").click();
        await expect(answer.getByText(/^Status 401: /)).toBeVisible();
      }
      const cut = answers(page).last();
      await expect(cut).toContainText(/^This answer/);
      await expect(cut.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
      await cut.getByRole("button", { name: "Retry" }).click();
      await expect(cut.getByRole("group", { name: /^Version 2 of 2/ })).toBeVisible();
    });
  });
}

test("two accounts at one service are both used, each under its name", { tags: "long" }, async ({
  page,
}) => {
  const [home, work] = await Promise.all([
    startModelServer({ models: ["gpt-5-mini"] }),
    startModelServer({ models: ["gpt-5-mini"] }),
  ]);
  const account = {
    kind: "OpenAI",
    name: "Home",
    baseUrl: `${home.url}/v1`,
    key: "sk-home-1111",
  } as const;
  try {
    await addProvider(page, account);
    await page.getByRole("button", { name: "Add provider" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    await dialog.getByRole("textbox", { name: "Key" }).fill("sk-work-2222");
    await dialog.getByRole("textbox", { name: "Base URL" }).fill(`${work.url}/v1`);
    await dialog.getByRole("textbox", { name: "Name" }).fill("home");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toContainText("A provider named “home” already exists.");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Work");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();

    for (const [name, asked, other] of [
      ["Work", work, home],
      ["Home", home, work],
    ] as const) {
      const before = other.getRequests().length;
      await page.goto("/settings?section=models");
      await chooseDefaultModel(page, new RegExp(`GPT-5 mini.*${name}`, "i"));
      await page.goto("/");
      await say(page, questions.greeting);
      await expect(answers(page).last()).toContainText(greeting);
      expect(JSON.stringify(asked.getRequests())).toContain(questions.greeting);
      expect(wereGivenKey(asked)).toBe(true);
      expect(answersAsked(other.getRequests().slice(before))).not.toContain(questions.greeting);
    }
  } finally {
    await Promise.all([home.stop(), work.stop()]);
  }
});

test("a provider that I rename goes on answering in the sessions that use it, until I remove it", {
  tags: "long",
}, async ({ page }) => {
  const server = await startModelServer({ models: ["house-model"] });
  try {
    await addProvider(page, {
      kind: "OpenAI-compatible",
      baseUrl: `${server.url}/v1`,
      key,
      name: "House",
    });
    await chooseDefaultModel(page, /house-model/);
    await askFirst(page, questions.greeting);
    const session = page.url();

    await page.goto("/settings?section=models");
    await page.getByRole("button", { name: "Actions for House" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit House" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Cottage");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: /^Default model: house-model/ })).toBeVisible();

    await page.goto(session);
    await page.getByRole("button", { name: "Model: house-model" }).click();
    const listed = page.getByRole("option", { name: /^house-model/ });
    await expect(listed.first()).toContainText("Cottage");
    await page.keyboard.press("Escape");
    const before = server.getRequests().length;
    await expect(await ask(page, questions.greeting)).toContainText(greeting);
    expect(server.getRequests().length).toBeGreaterThan(before);

    await page.goto("/settings?section=models");
    await removeProvider(page, "Cottage");
    await page.goto("/");
    await expect(page.getByRole("button", { name: /^Model: Demo/ })).toBeVisible();
  } finally {
    await server.stop();
  }
});

/** A title for the chat before may be asked for late. */
function answersAsked(requests: ReturnType<LLMock["getRequests"]>): string {
  const all = requests.map(({ body }) => JSON.stringify(body ?? null));
  return all.filter((body) => !body.includes("<question>")).join();
}

/** True when a request came with a key; the server does not record the key. */
function wereGivenKey(server: LLMock): boolean {
  return server.getRequests().some(({ headers }) => "authorization" in headers);
}

/** Reads everything the page is sent from now on; gives the addresses of the answers that hold the key. */
function watchForKey(page: StoryPage): () => Promise<string[]> {
  const found: Promise<string | null>[] = [];
  page.on("response", (response) => {
    // A stream has no body to read before it ends, and the page may have left it by then.
    const isStream = response.headers()["content-type"]?.startsWith("text/event-stream");
    if (isStream) return;
    const holdsKey = response.text().then(
      (text) => (text.includes(key) ? response.url() : null),
      () => null,
    );
    found.push(holdsKey);
  });
  return async () => (await Promise.all(found)).filter((url) => url !== null);
}
