import { expect } from "@playwright/test";
import { composer } from "./support/conversation";
import { test } from "./support/test";

test.use({ serviceWorkers: "allow" });

test("Grove can be installed: it has a name, a start and icons of the sizes it says", async ({
  page,
  request,
}) => {
  await page.goto("/");
  const link = page.locator('link[rel="manifest"]');
  const response = await request.get((await link.getAttribute("href")) ?? "");
  const manifest = await response.json();
  expect(manifest).toMatchObject({ name: "Grove", start_url: "/", display: "standalone" });
  const sizes: string[] = manifest.icons.map((icon: { sizes: string }) => icon.sizes);
  expect(sizes).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  for (const icon of manifest.icons) {
    const size = await page.evaluate(async (src: string) => {
      const bitmap = await createImageBitmap(await (await fetch(src)).blob());
      return `${bitmap.width}x${bitmap.height}`;
    }, icon.src);
    expect(size).toBe(icon.sizes);
  }
});

test("an installed Grove whose server is away says what to do, and goes on when it is back", {
  tag: "@essential",
}, async ({ page, context }) => {
  await page.goto("/");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    // Until it has taken over, a page is loaded without it.
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) =>
      navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }),
    );
  });
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Grove is not running" })).toBeVisible();
  await expect(page.getByText("npm start")).toBeVisible();

  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(composer(page)).toBeVisible();
});
