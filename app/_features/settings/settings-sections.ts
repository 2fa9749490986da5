/** Sections in display order; the id is part of the URL. */
export const settingsSections = [
  { id: "models", label: "Models and keys" },
  { id: "blocks", label: "Instructions and memory" },
  { id: "knowledge", label: "Knowledge" },
  { id: "skills", label: "Skills" },
  { id: "prompts", label: "Prompts" },
  { id: "tools", label: "Tools" },
  { id: "programs", label: "Programs" },
  { id: "appearance", label: "Appearance" },
  { id: "deleted", label: "Recently deleted" },
  { id: "data", label: "Data" },
  { id: "about", label: "About" },
] as const;

export const accountSections = [
  { id: "account", label: "Account" },
  { id: "people", label: "People" },
] as const;

export type SettingsSectionId = (typeof settingsSections | typeof accountSections)[number]["id"];

export interface ShownSection {
  readonly id: SettingsSectionId;
  readonly label: string;
}

export function sectionsFor(role: "owner" | "admin" | "member" | null): readonly ShownSection[] {
  if (role === null) return settingsSections;
  const [account] = accountSections;
  return [...(role === "member" ? [account] : accountSections), ...settingsSections];
}

export function sectionOf(
  asked: string | string[] | undefined,
  shown: readonly ShownSection[],
): SettingsSectionId {
  return shown.find(({ id }) => id === asked)?.id ?? "models";
}
