"use client";

import { createStore, useStore } from "@/app/_ui/store";
import { touchQuery } from "@/app/_ui/use-media-query";

export const textSizes = ["small", "normal", "large", "larger"] as const;
export const readingWidths = ["narrow", "normal", "wide"] as const;
export const sendKeys = ["enter", "mod-enter"] as const;

export interface Preferences {
  textSize: (typeof textSizes)[number];
  readingWidth: (typeof readingWidths)[number];
  sendKey: (typeof sendKeys)[number];
  notifies: boolean;
}

const usual: Preferences = {
  textSize: "normal",
  readingWidth: "normal",
  sendKey: "enter",
  notifies: false,
};

/** The boot script applies text size and width before the first paint. */
export const preferences = createStore<Preferences>(usual, {
  name: "preferences",
  parse: (stored) => {
    if (typeof stored !== "object" || stored === null) return null;
    const { textSize, readingWidth, sendKey, notifies } = stored as Record<string, unknown>;
    return {
      textSize: textSizes.find((known) => known === textSize) ?? usual.textSize,
      readingWidth: readingWidths.find((known) => known === readingWidth) ?? usual.readingWidth,
      sendKey: sendKeys.find((known) => known === sendKey) ?? usual.sendKey,
      notifies: notifies === true,
    };
  },
});

export function changePreferences(change: Partial<Preferences>): void {
  preferences.update((present) => ({ ...present, ...change }));
  const { textSize, readingWidth } = preferences.read();
  document.documentElement.dataset.textSize = textSize;
  document.documentElement.dataset.width = readingWidth;
}

export function usePreferences(): Preferences {
  return useStore(preferences);
}

interface SendPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

export function isSendKey(press: SendPress): boolean {
  const isTouch = matchMedia(touchQuery).matches;
  return sends(press, { sendKey: preferences.read().sendKey, isTouch });
}

/** Screen keyboards have no second key that breaks a line, so there Enter alone does. */
export function sends(
  { key, shiftKey, ctrlKey, metaKey }: SendPress,
  { sendKey, isTouch }: Pick<Preferences, "sendKey"> & { readonly isTouch: boolean },
): boolean {
  if (key !== "Enter" || shiftKey) return false;
  return ctrlKey || metaKey || (sendKey === "enter" && !isTouch);
}

export const themes = ["system", "light", "dark"] as const;

export type Theme = (typeof themes)[number];

const theme = createStore<Theme>("system", {
  name: "theme",
  isShared: false,
  parse: (stored) => themes.find((known) => known === stored) ?? null,
});

export function setTheme(next: Theme): void {
  document.documentElement.dataset.theme = next;
  theme.update(() => next);
}

export function useTheme(): Theme {
  return useStore(theme);
}
