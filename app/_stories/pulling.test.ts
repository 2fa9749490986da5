import { describe, expect } from "vitest";
import { type OllamaStandIn, pulledLines, startOllama } from "@/lib/llm/testing/ollama-server";
import { addProvider } from "./testing/settings-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

describe("An Ollama server without models", () => {
  let ollama: OllamaStandIn;

  test.beforeEach(async () => {
    ollama = await startOllama(({ send }) => send(...pulledLines));
  });
  test.afterEach(() => ollama.close());

  const add = (page: StoryPage) =>
    addProvider(page, {
      ...{ kind: "OpenAI-compatible", baseUrl: ollama.baseUrl, key: "", name: "House" },
    });

  async function pull(page: StoryPage, name: string): Promise<void> {
    await page.getByRole("textbox", { name: "Model to pull" }).fill(name);
    await page.getByRole("button", { name: "Pull", exact: true }).click();
  }

  test("pulls a model that I name, which can be chosen at once", async ({ page }) => {
    await add(page);
    ollama.pull = ({ send }) => {
      ollama.models.push("llama3.2:latest");
      send(...pulledLines);
    };
    await pull(page, "ollama pull llama3.2");
    await expect(page.getByText("llama3.2 is ready in House.")).toBeVisible();
    await page.getByRole("button", { name: /^Default model: / }).click();
    const pulled = page.getByRole("option", { name: /llama3\.2:latest/ });
    await expect(pulled.filter({ hasText: "House" })).toBeVisible();
    expect(ollama.pulls.map(({ body }) => body)).toEqual([{ model: "llama3.2", stream: true }]);
  });

  test("shows how far a pull is, and ends it there when I cancel", { tags: "long" }, async ({
    page,
  }) => {
    await add(page);
    const left = Promise.withResolvers<void>();
    ollama.pull = async ({ send, gone }) => {
      send(...pulledLines.slice(0, 3));
      await gone;
      left.resolve();
    };
    await pull(page, "llama3.2");
    await expect(page.getByText("500 MB of 2 GB")).toBeVisible();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("progressbar")).toBeHidden();
    await left.promise;
    await expect(page.getByRole("textbox", { name: "Model to pull" })).toBeVisible();
  });

  test("says in Ollama's words why a pull failed, and tries again", { tags: "long" }, async ({
    page,
  }) => {
    await add(page);
    ollama.pull = ({ send }) => send({ error: "pull model manifest: file does not exist" });
    await pull(page, "lama3.2");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("pull model manifest: file does not exist");
    await expect(alert).toContainText("Check the name at ollama.com/library.");
    ollama.pull = ({ send }) => send(...pulledLines);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("lama3.2 is ready in House.")).toBeVisible();
  });
});
