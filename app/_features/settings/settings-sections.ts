/** In display order; the id is part of the URL. */
export const settingsSections = [
  { id: "models", label: "Models and keys" },
  { id: "blocks", label: "Instructions and memory" },
  { id: "knowledge", label: "Knowledge" },
  { id: "skills", label: "Skills" },
  { id: "tools", label: "Tools" },
  { id: "programs", label: "Programs" },
  { id: "appearance", label: "Appearance" },
  { id: "deleted", label: "Recently deleted" },
  { id: "data", label: "Data" },
] as const;

export type SettingsSectionId = (typeof settingsSections)[number]["id"];

/** Falls back to the first section. */
export function sectionOf(asked: string | string[] | undefined): SettingsSectionId {
  return settingsSections.find(({ id }) => id === asked)?.id ?? "models";
}
