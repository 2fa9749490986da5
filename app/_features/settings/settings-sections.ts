/** The parts of the settings, in their order; the id is what stands in the address. */
export const settingsSections = [
  { id: "models", label: "Models and keys" },
  { id: "blocks", label: "Instructions and memory" },
  { id: "knowledge", label: "Knowledge" },
  { id: "skills", label: "Skills" },
  { id: "appearance", label: "Appearance" },
  { id: "data", label: "Data" },
] as const;

export type SettingsSectionId = (typeof settingsSections)[number]["id"];

/** The section an address asks for; the first one for anything else. */
export function sectionOf(asked: string | string[] | undefined): SettingsSectionId {
  return settingsSections.find(({ id }) => id === asked)?.id ?? "models";
}
