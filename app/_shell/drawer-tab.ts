export const drawerTabs = ["memory", "context", "tree"] as const;

export type DrawerTab = (typeof drawerTabs)[number];

export function isDrawerTab(value: unknown): value is DrawerTab {
  return drawerTabs.some((tab) => tab === value);
}
