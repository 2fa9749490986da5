import { expect } from "vitest";
import { composer } from "./testing/conversation";
import { test } from "./testing/test";

const loaded = () => import("@/app/_api/page-person");

test("each load has modules of its own", async ({ page }) => {
  await page.goto("/");
  const before = await loaded();
  expect(await loaded()).toBe(before);
  await page.reload();
  expect((await loaded()).tabId).not.toBe(before.tabId);
});

test("a document that is left asks nothing, listens to nothing and shows nothing", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/");
  const { pageFetch } = await loaded();
  const { toastDone } = await import("@/app/_ui/toast");
  const seen: string[] = [];
  addEventListener("popstate", () => seen.push("heard"));
  toastDone("Said before");
  await expect(page.getByText("Said before")).toBeVisible();
  await page.reload();
  page.on("response", (response) => void seen.push(response.url()));
  const late = pageFetch("/api/late").then(() => seen.push("answered"));
  dispatchEvent(new PopStateEvent("popstate"));
  await composer(page).fill("Now");
  await expect(page.getByText("Said before")).toHaveCount(0);
  expect(await Promise.race([late, "waiting"])).toBe("waiting");
  expect(seen.filter((each) => !/\/api\/(?!late)/.test(each))).toEqual([]);
});
