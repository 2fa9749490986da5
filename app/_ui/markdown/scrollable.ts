/** For elements whose content scrolls: who has no mouse must be able to focus them to read on. */
export const scrollable = { tabIndex: 0 } as const;
