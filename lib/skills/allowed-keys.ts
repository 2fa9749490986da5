/** Keys of the skills that may be listed, loaded and written; files beside a skill belong to it. Omitted: all. */
export type AllowedKeys = readonly string[] | undefined;

export function isAllowed(keys: AllowedKeys, key: string): boolean {
  return keys?.some((allowed) => key === allowed || key.startsWith(`${allowed}/`)) ?? true;
}
