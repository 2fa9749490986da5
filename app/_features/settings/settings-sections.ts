import { inSpace, pageSpace } from "@/app/_ui/page-space";

export type SettingsSectionId =
  | "appearance"
  | "models"
  | "blocks"
  | "knowledge"
  | "skills"
  | "assistants"
  | "prompts"
  | "tools"
  | "programs"
  | "data"
  | "deleted"
  | "account"
  | "people"
  | "everyone"
  | "about";

export interface SettingsSection {
  readonly id: SettingsSectionId;
  readonly label: string;
  readonly note: string;
  readonly titles: readonly string[];
}

export interface SettingsPage {
  readonly label: string;
  readonly sections: readonly [SettingsSection, ...SettingsSection[]];
}

export type SettingsPages = readonly [SettingsPage, ...SettingsPage[]];

const about: SettingsSection = {
  id: "about",
  label: "About",
  note: "Version, figures and what's new.",
  titles: ["What's new"],
};

const ownPages: SettingsPages = [
  {
    label: "General",
    sections: [
      {
        id: "appearance",
        label: "General",
        note: "Theme, text and notifications.",
        titles: ["Theme", "Text size", "Reading width", "Send with", "Notifications"],
      },
    ],
  },
  {
    label: "Models",
    sections: [
      {
        id: "models",
        label: "Models",
        note: "Providers, keys and local servers.",
        titles: ["Default model", "Providers", "On this machine", "Advanced"],
      },
    ],
  },
  {
    label: "Personalization",
    sections: [
      {
        id: "blocks",
        label: "Personalization",
        note: "Instructions, memory, assistants, skills and prompts.",
        titles: ["Let the model update memory", "Instructions", "Memory"],
      },
      {
        id: "assistants",
        label: "Assistants",
        note: "How to answer, with a model, tools and skills.",
        titles: [],
      },
      {
        id: "knowledge",
        label: "Knowledge",
        note: "Notes and files the model searches when relevant.",
        titles: [],
      },
      {
        id: "skills",
        label: "Skills",
        note: "Instructions for specific tasks.",
        titles: [],
      },
      {
        id: "prompts",
        label: "Prompts",
        note: "Texts of your own, by /name.",
        titles: ["Your prompts"],
      },
    ],
  },
  {
    label: "Connections",
    sections: [
      {
        id: "tools",
        label: "Connections",
        note: "The web, MCP servers and API keys.",
        titles: ["Web", "Search server", "MCP servers"],
      },
      {
        id: "programs",
        label: "API keys",
        note: "Use Grove from other apps.",
        titles: [],
      },
    ],
  },
  {
    label: "Data",
    sections: [
      {
        id: "data",
        label: "Data",
        note: "Import, export, backups and usage.",
        titles: [
          "Export everything",
          "Import",
          "Backups",
          "Example chat",
          "Data folder",
          "Usage and cost",
          "Delete everything",
        ],
      },
      {
        id: "deleted",
        label: "Recently deleted",
        note: "Restore chats, messages and memory.",
        titles: [],
      },
    ],
  },
];

const account: SettingsSection = {
  id: "account",
  label: "Account",
  note: "Sign-in, devices and people.",
  titles: ["Ways to sign in", "Devices", "Delete account"],
};

const people: SettingsSection = {
  id: "people",
  label: "People",
  note: "Everyone who may sign in here.",
  titles: ["Accounts", "Log"],
};

const everyone: SettingsSection = {
  id: "everyone",
  label: "For everyone",
  note: "Models, limits, files and backups of this Grove.",
  titles: ["Limits for everyone", "Largest file", "Detect local model servers", "Back up every"],
};

const server: SettingsSection = {
  ...everyone,
  label: "Server",
  note: "Local models, files and backups of this Grove.",
  titles: ["Largest file", "Detect local model servers", "Back up every"],
};

/** `role` is `null` without accounts: the last page is then about this Grove. */
export function settingsPagesFor(role: "owner" | "admin" | "member" | null): SettingsPages {
  if (role === null) {
    const aboutGrove = { ...about, note: "Version, what's new and this server." };
    return [...ownPages, { label: "About", sections: [aboutGrove, server] }];
  }
  const others = role === "member" ? [about] : [people, everyone, about];
  return [...ownPages, { label: "Account", sections: [account, ...others] }];
}

export const sectionsOfSpace: ReadonlySet<SettingsSectionId> = new Set([
  "blocks",
  "assistants",
  "knowledge",
  "skills",
  "data",
  "deleted",
]);

const titlesInProject: Partial<Record<SettingsSectionId, readonly string[]>> = {
  blocks: ["Instructions", "Memory"],
  data: ["Export project", "Import", "Files"],
};

const unread: ReadonlySet<SettingsSectionId> = new Set(["assistants", "data", "deleted"]);

/** @param readsOnly leaves out what only people who write there use. */
export function settingsPagesIn(
  space: string | null,
  pages: SettingsPages,
  readsOnly = false,
): SettingsPages {
  if (space === null) return pages;
  const inProject = (section: SettingsSection): SettingsSection => ({
    ...section,
    titles: titlesInProject[section.id] ?? section.titles,
    ...(section.id === "data" && { note: "Import, export and files of this project." }),
  });
  const shown = ({ id }: SettingsSection) => !readsOnly || !unread.has(id);
  const [first, ...others] = pages.flatMap(({ label, sections }): SettingsPage[] => {
    const [main, ...more] = sections.filter(shown).map(inProject);
    return main ? [{ label, sections: [main, ...more] }] : [];
  });
  return first ? [first, ...others] : pages;
}

export interface SettingsPlace {
  readonly page: SettingsPage;
  readonly section: SettingsSection;
}

/** Returns `null` when the address names no shown section. */
export function settingsPlace(
  asked: string | string[] | undefined,
  pages: SettingsPages,
): SettingsPlace | null {
  for (const page of pages) {
    const section = page.sections.find(({ id }) => id === asked);
    if (section) return { page, section };
  }
  return null;
}

export function firstPlace([page]: SettingsPages): SettingsPlace {
  return { page, section: page.sections[0] };
}

export interface FoundSetting {
  readonly title: string;
  readonly section: SettingsSection;
}

/** A section's own name comes first. */
export function findSettings(query: string, pages: SettingsPages): FoundSetting[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const sections = pages.flatMap((page) => page.sections);
  const named = sections.filter(({ label, note }) => holds(`${label} ${note}`));
  return [
    ...named.map((section) => ({ title: section.label, section })),
    ...sections.flatMap((section) =>
      section.titles
        .filter((title) => title !== section.label && holds(title))
        .map((title) => ({ title, section })),
    ),
  ];
}

export function settingsAddress(
  id: SettingsSectionId | null,
  space: string | null = pageSpace,
): string {
  return inSpace(id === null ? "/settings" : `/settings?section=${id}`, space);
}
