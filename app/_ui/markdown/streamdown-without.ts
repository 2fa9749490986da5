/**
 * Stands for packages that Streamdown imports and Grove never uses, together half of its weight: `rehype-raw` (raw
 * HTML is shown as text), `rehype-sanitize`, `rehype-harden` (`elements.tsx` checks links and images) and
 * `tailwind-merge` (the prefix disables Streamdown's classes).
 */
// biome-ignore lint/style/noDefaultExport: the packages it stands for have one
export default function noPlugin(): () => void {
  return () => undefined;
}

export const harden = noPlugin;

export const defaultSchema = {};

export function twMerge(classes: string): string {
  return classes;
}
