/** Keyboard users reach scrollable elements by focus. */
export const scrollable = { tabIndex: 0 } as const;
