import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { askFirst } from "./testing/session-page";
import { test } from "./testing/test";

describe("The web", () => {
  test("I turn search on, see what was asked and where it comes from, and local addresses stay closed", async ({
    page,
  }) => {
    const search = await searchServer();
    await page.goto("/settings?section=tools");
    await page.getByRole("textbox", { name: "Search server" }).fill("searx");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/must begin with http/)).toBeVisible();
    await page.getByRole("textbox", { name: "Search server" }).fill(search.address);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Search server saved.")).toBeVisible();
    for (const name of ["Search the web", "Read web pages"]) {
      const policy = page.getByRole("radiogroup", { name });
      await policy.getByRole("radio", { name: "On" }).click();
      await expect(policy.getByRole("radio", { name: "On" })).toBeChecked();
    }
    await expectAccessible(page, "the settings of tools");

    const answer = await askFirst(page, "Call web_search with green tea");
    await expect(answer.getByText("Searched the web for “green tea”")).toBeVisible();
    expect(search.asked).toEqual(["green tea"]);
    const sources = answer.getByRole("region", { name: "Sources" });
    await expect(sources.getByRole("link")).toHaveAttribute("href", "https://tea.example/green");
    await expectAccessible(page, "an answer with sources");

    const refused = await askFirst(page, `Call read_page with ${search.address}/search`);
    await expect(refused.getByText(/Could not read/)).toBeVisible();
    await expect(refused).toContainText("is not on the public internet");
    expect(search.asked).toHaveLength(1);
    search.close();
  });
});

/** Answers as SearXNG does. */
async function searchServer() {
  const asked: string[] = [];
  const result = { title: "Green tea", url: "https://tea.example/green", content: "Two minutes." };
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? "", "http://x").searchParams.get("q") ?? "");
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ results: [result] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const place = server.address();
  if (!place || typeof place === "string") throw new Error("The server has no port.");
  return { asked, address: `http://127.0.0.1:${place.port}`, close: () => server.close() };
}
