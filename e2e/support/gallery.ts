import { join } from "node:path";
import { type Browser, request } from "@playwright/test";
import { fillGallery } from "./gallery-content";
import { galleryScenes } from "./gallery-scenes";
import { startManyModels } from "./many-models";
import type { GalleryScene } from "./opened-places";
import { takePicture, withGroveToPicture } from "./picture-taking";

const [folder = join("test-results", "gallery"), only = ""] = process.argv.slice(2);
const widths = [390, 1024, 1600];
const themes = ["light", "dark"] as const;

/** Takes a picture of every screen at every width in both themes, to be looked at: `npm run gallery -- [folder [part of a name]]`. */
await withGroveToPicture(async (browser, address) => {
  const models = await startManyModels();
  const api = await request.newContext({ baseURL: address });
  const all = galleryScenes(await fillGallery(api, models.url));
  await api.dispose();
  const scenes = all.filter(({ name }) => name.includes(only));
  for (const width of widths) {
    for (const theme of themes) await takeAll(browser, { address, scenes, width, theme });
  }
  await models.stop();
});

interface Look {
  readonly address: string;
  readonly scenes: readonly GalleryScene[];
  readonly width: number;
  readonly theme: (typeof themes)[number];
}

async function takeAll(browser: Browser, { address, scenes, width, theme }: Look): Promise<void> {
  const isPhone = width < 640;
  for (const { name, path, show } of scenes) {
    const context = await browser.newContext({
      viewport: { width, height: isPhone ? 844 : 900 },
      isMobile: isPhone,
      hasTouch: isPhone,
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(`${address}${path}`);
    // The page needs a moment until it can be used.
    await page.waitForTimeout(1_500);
    await show?.(page).catch((error: Error) =>
      console.error(`${name}, ${width}: ${error.message}`),
    );
    await takePicture(page, join(folder, `${name}-${width}-${theme}.png`));
    await context.close();
  }
}
