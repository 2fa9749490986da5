import type { LLMock } from "@copilotkit/aimock";
import { describe, expect } from "vitest";
import { startModelServer } from "@/e2e/support/model-server";
import { offerProvider } from "./testing/api";
import { answers } from "./testing/conversation";
import { askFirst } from "./testing/session-page";
import { test } from "./testing/test";

describe("What a model writes", () => {
  let server: LLMock;

  test.beforeEach(async ({ request }) => {
    server = await startModelServer({ models: ["first-model", "second-model"] });
    server.onMessage("Show me everything", { content: "# Timber" });
    await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "first-model" });
  });

  test.afterEach(() => server.stop());

  test("can be asked for again from another model, beside the first", async ({ page }) => {
    const answer = await askFirst(page, "Show me everything");
    await answer.hover();
    await answer.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Regenerate with…" }).click();
    await page.getByRole("option", { name: /^second-model/ }).click();
    await expect(answers(page).getByText("2 / 2")).toBeVisible();
    await expect
      .poll(() => server.getRequests().map(({ body }) => modelOf(body)))
      .toContain("second-model");
  });
});

test("what a model thought is folded away until I open it", { tags: "long" }, async ({ page }) => {
  const answer = await askFirst(page, "Think first: what is a tree?");
  const thought = answer.getByText(/The question is|what is a tree\?/);
  await expect(thought).toBeHidden();
  await answer.getByText(/^(Reasoning|Thought for)/).click();
  await expect(thought.first()).toBeVisible();
});

function modelOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "model" in body ? body.model : null;
}
