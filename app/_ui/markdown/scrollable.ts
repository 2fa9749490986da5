/** Scrollable elements must be focusable for keyboard users. */
export const scrollable = { tabIndex: 0 } as const;
